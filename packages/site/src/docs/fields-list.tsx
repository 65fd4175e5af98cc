import type { z } from 'zod';
import type { PageContext } from '../layout/page-context.ts';
import { Described } from './described.tsx';
import type { DocsTexts } from './docs-texts.ts';
import { ExampleValue } from './example-value.tsx';
import { type FieldType, fieldRows } from './field-rows.ts';

/** What a list of fields shows. */
export interface FieldsListParts {
  page: PageContext;
  texts: DocsTexts;
  /** Begins the ids of the fields. */
  id: string;
  schema: z.ZodType;
  /** An object that the schema describes, out of the archive; absent where it has none. */
  example: object | undefined;
}

/** Every field of a form: name, type, meaning, and an example out of the archive. */
export function FieldsList({ page, texts, id, schema, example }: FieldsListParts) {
  const values = new Map<string, unknown>(Object.entries(example ?? {}));
  return (
    <dl class="fields">
      {fieldRows(schema).map(({ name, types, meaning }) => (
        <div key={name} class="field-row">
          <dt id={`${id}-${name}`}>
            <code>{name}</code> <span class="type">{typeName(types, texts)}</span>
          </dt>
          <dd>
            <Described language={page.language} text={meaning} />
          </dd>
          {values.has(name) && (
            <dd class="example">
              <ExampleValue page={page} texts={texts} value={values.get(name)} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

function typeName(types: readonly FieldType[], texts: DocsTexts): string {
  return types
    .map(({ name, of, form = name }) => {
      if (name !== 'array') return texts.types[form] ?? form;
      return `${texts.arrayOf} ${of && of.length > 0 ? typeName(of, texts) : texts.types['object']}`;
    })
    .join(` ${texts.or} `);
}
