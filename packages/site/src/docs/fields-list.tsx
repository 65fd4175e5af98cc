import type { z } from 'zod';
import { linkToAddress, type PageContext } from '../layout/page-context.ts';
import { DOCS_TEXTS as texts } from './docs-texts.ts';
import { type FieldType, fieldRows } from './field-rows.ts';

/** The properties of a list of fields. */
interface FieldsListParts {
  page: PageContext;
  /** Prefix of the ids of the fields. */
  id: string;
  schema: z.ZodType;
  /** An object from the archive that has this schema; missing if there is none. */
  example: object | undefined;
}

/** Every field of a schema: name, type, description, and an example from the archive. */
export function FieldsList({ page, id, schema, example }: FieldsListParts) {
  const values = new Map<string, unknown>(Object.entries(example ?? {}));
  return (
    <dl class="fields">
      {fieldRows(schema).map(({ name, types, meaning }) => (
        <div key={name} class="field-row">
          <dt id={`${id}-${name}`}>
            <code>{name}</code> <span class="type">{typeName(types)}</span>
          </dt>
          <dd>{meaning}</dd>
          {values.has(name) && (
            <dd class="example">
              <ExampleValue page={page} value={values.get(name)} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function typeName(types: readonly FieldType[]): string {
  return types
    .map(({ name, of, form = name }) => {
      if (name !== 'array') return texts.types[form] ?? form;
      return `${texts.arrayOf} ${of && of.length > 0 ? typeName(of) : texts.types['object']}`;
    })
    .join(` ${texts.or} `);
}

/** Maximum length of an example, in characters. */
const LONGEST = 90;

/** A value of a record as JSON, shortened if it is long; an address below the base URL is a link. */
function ExampleValue({ page, value }: { page: PageContext; value: unknown }) {
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
