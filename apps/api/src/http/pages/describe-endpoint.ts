import { LANGUAGES } from '@archive/types';
import { QUERY_SHAPES } from '../openapi/parameter-objects.ts';
import { problemsOf } from '../openapi/response-objects.ts';
import { PROBLEMS } from '../problems.ts';
import { PARAMETERS, type ParameterName, type Route } from '../routes/route.ts';
import { Html, html } from './html.ts';

/** The parameters that a form begins with; others are left to the reader. */
const FILLED: readonly ParameterName[] = ['field', 'prefix', 'q', 'since'];

/** An endpoint: its path, what it answers, its parameters, and a form to try it. */
export function describeEndpoint(route: Route, path: string): Html {
  const id = path.replace(/[^a-z]+/gi, '-').replace(/^-|-$/g, '') || 'root';
  return html`<details class="endpoint" id="${id}">
<summary><span class="verb">GET</span> <code class="path">${path}</code> <span class="name">${route.name}</span></summary>
<div class="content">
<p>${route.description}</p>
<form data-path="${path}" data-kind="${kindOf(route)}" data-file="${route.isFile ? 'yes' : 'no'}">
${fields(route, path, id)}<p class="buttons"><button type="submit">Try it</button> <a class="open" href="#${id}">Open</a></p>
<div class="curl"><pre tabindex="0" aria-label="Command"><code></code></pre><button type="button" class="copy">Copy</button></div>
<output hidden><span class="outcome"></span><pre tabindex="0" aria-label="Answer"></pre></output>
</form>
<p class="small">Answers <code>${route.content.contentType}</code>. ${problems(route)}</p>
</div>
</details>
`;
}

function kindOf(route: Route): string {
  return 'answer' in route ? (route.kind ?? '') : '';
}

function fields(route: Route, path: string, id: string): Html[] {
  const language = path.includes('{lang}')
    ? [
        html`<p class="field"><label for="${id}-lang">lang</label> <select id="${id}-lang" name="lang">${LANGUAGES.map((each) => html`<option>${each}</option>`)}</select> <span>Language of the answer.</span></p>\n`,
      ]
    : [];
  const segments = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'lang')
    .map((name) => field(id, name, segmentExample(name), 'Part of the path.', true));
  const isFilled = (name: ParameterName) => FILLED.includes(name);
  const inOrder = route.parameters.toSorted((a, b) => Number(isFilled(b)) - Number(isFilled(a)));
  const query = inOrder.map((name) => {
    const { example = '', required = false } = QUERY_SHAPES[name];
    return field(id, name, isFilled(name) ? String(example) : '', PARAMETERS[name], required);
  });
  return [...language, ...segments, ...query];
}

/** Which uuids there are is not known here: the script of the page finds one. */
function segmentExample(name: string): string {
  return { name: 'invalid-page', asset: 'docs.css' }[name] ?? '';
}

function field(id: string, name: string, value: string, meaning: string, required: boolean): Html {
  return html`<p class="field"><label for="${id}-${name}">${name}</label> <input id="${id}-${name}" name="${name}" value="${value}" autocomplete="off" spellcheck="false"${required ? new Html(' required') : ''} aria-describedby="${id}-${name}-is"> <span id="${id}-${name}-is">${meaning}</span></p>\n`;
}

function problems(route: Route): Html {
  const names = problemsOf(route).filter((name) => PROBLEMS[name].status < 500);
  return names.length === 0
    ? html``
    : html`Problems: ${names.map((name, index) => html`${index > 0 ? ', ' : ''}<a href="problems/${name}">${name}</a>`)}.`;
}
