import { linkToAddress, type PageContext } from '../layout/page-context.ts';
import type { DocsTexts } from './docs-texts.ts';

/** Characters of an example at most. */
const LONGEST = 90;

/** A value out of a record as JSON, cut where it is long; an address below the base URL leads there. */
export function ExampleValue({
  page,
  texts,
  value,
}: {
  page: PageContext;
  texts: DocsTexts;
  value: unknown;
}) {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) {
    return (
      <>
        <code>{JSON.stringify(value)}</code> <span class="soft">({texts.empty})</span>
      </>
    );
  }
  const [first] = Array.isArray(value) ? value : [value];
  const isOwnAddress = typeof first === 'string' && first.startsWith(`${page.baseUrl}/`);
  const shown = <code>{abbreviate(value)}</code>;
  return isOwnAddress ? <a href={linkToAddress(page, first)}>{shown}</a> : shown;
}

/** JSON of a value: an embedded record by its first fields, a long text or list by its beginning. */
function abbreviate(value: unknown): string {
  if (Array.isArray(value)) {
    return value.length > 1 ? `[${abbreviate(value[0])}, … ${value.length}]` : `[${abbreviate(value[0])}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const named = Object.entries(value).filter(([name]) => /^(id|name|title|uuid)$/.test(name));
    return `{${named.map(([name, each]) => `"${name}": ${abbreviate(each)}`).join(', ')}, …}`;
  }
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…"` : text;
}
