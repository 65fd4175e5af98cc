import {
  abbreviatedEventSchema,
  COLLECTIONS,
  envelopeSchema,
  fileObjectSchema,
  KINDS,
  recordSchemas,
} from '@archiefkast/types';
import { z } from 'zod';
import { linkTo, type PageContext } from '../layout/page-context.ts';
import type { DocsArchive } from './docs-data.ts';
import { DOCS_TEXTS as texts } from './docs-texts.ts';
import { fieldRows } from './field-rows.ts';
import { FieldsList } from './fields-list.tsx';

/** The records: each kind with all its fields, and an example from the archive. */
export function RecordsSection({ page, archive }: { page: PageContext; archive: DocsArchive | undefined }) {
  return (
    <section id="records">
      <h2 id="records-title">{texts.records}</h2>
      <p>{texts.recordsLead}</p>
      {KINDS.map((kind) => {
        const example = archive?.examples[kind];
        const list = `${page.language}/api/${COLLECTIONS[kind]}`;
        return (
          <section key={kind} id={COLLECTIONS[kind]}>
            <h3 id={`${COLLECTIONS[kind]}-title`}>{texts.kinds[kind]}</h3>
            <p>{texts.kindsLead[kind]}</p>
            <p class="links">
              {example && <a href={linkTo(page, `${list}/${example.uuid}`)}>{texts.realRecord}</a>}
              <a href={linkTo(page, list)}>{texts.realList}</a>
            </p>
            <details>
              <summary>{texts.allFields(fieldRows(recordSchemas[kind]).length)}</summary>
              <FieldsList page={page} id={kind} schema={recordSchemas[kind]} example={example} />
            </details>
          </section>
        );
      })}
      <section id="forms">
        <h3 id="forms-title">{texts.forms}</h3>
        <p>{texts.formsLead}</p>
        {forms(archive).map(({ name, schema, example }) => (
          <details key={name} id={name}>
            <summary>{texts.formNames[name]}</summary>
            <FieldsList page={page} id={name} schema={schema} example={example} />
          </details>
        ))}
      </section>
    </section>
  );
}

/** The objects that are not records. */
function forms(archive: DocsArchive | undefined) {
  const { person, location, event, subject } = archive?.examples ?? {};
  const ofAll = { ...person, ...subject, ...location, ...event };
  const image = z
    .object({ image: fileObjectSchema.nullish(), main_image: fileObjectSchema.nullish() })
    .safeParse(ofAll).data;
  const events = z.object({ events: z.array(abbreviatedEventSchema) }).safeParse(location).data?.events;
  return [
    { name: 'FileObject', schema: fileObjectSchema, example: image?.image ?? image?.main_image ?? undefined },
    { name: 'AbbreviatedEvent', schema: abbreviatedEventSchema, example: events?.[0] },
    { name: 'Envelope', schema: pageSchema, example: undefined },
  ] as const;
}

const pageSchema = envelopeSchema(z.unknown());
