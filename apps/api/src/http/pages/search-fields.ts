import { SEARCH_FIELDS } from '../../search/index.ts';
import { type Html, html } from './html.ts';

/** How a value is compared with the one asked for. */
const MATCHING = {
  contains: 'contains the value',
  whole: 'is the value',
  date: 'contains the value, or lies in a range such as 1620..1650',
  kind: 'is the kind',
} as const;

/** The fields that `q` may name. */
export function searchFields(): Html {
  return html`<section id="fields" aria-labelledby="fields-title">
<h2 id="fields-title">Search fields</h2>
<p>In <code>q</code>, a word finds records with it in any text; <code>field:value</code> looks in one field. All words and clauses must hold. Case, diacritics and the shape of quotes do not matter. <code>"…"</code> keeps words together.</p>
<div class="scroll" tabindex="0" role="region" aria-labelledby="fields-title">
<table>
<thead><tr><th scope="col">Field</th><th scope="col">Records</th><th scope="col">Meaning</th><th scope="col">A record matches when its value</th></tr></thead>
<tbody>
${SEARCH_FIELDS.map(
  ({ name, kinds, description, matching }) =>
    html`<tr><td><code>${name}</code></td><td>${kinds.length === 4 ? 'all' : kinds.join(', ')}</td><td>${description}</td><td>${MATCHING[matching]}</td></tr>\n`,
)}</tbody>
</table>
</div>
</section>
`;
}
