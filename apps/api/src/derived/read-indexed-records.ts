import { KINDS, type Kind, LANGUAGES } from '@archiefkast/types';
import type { IndexedRecord } from '../search/index.ts';
import type { Database } from '../storage/connect.ts';
import type { EditionContents } from '../storage/edition.ts';
import { withoutMarks } from '../storage/marks.ts';
import type { Form } from '../storage/stored-texts.ts';
import { fetchEmbeddedUuids, fetchRun } from '../storage/stored-texts.ts';

/** Records fetched by one statement. */
const BATCH_RECORDS = 500;

/** The form in which a record is read: events as locations list them, where all that they name has its uuid. */
const FORMS: Readonly<Record<Kind, Form>> = {
  person: 'person',
  subject: 'subject',
  location: 'location',
  event: 'abbreviated_event',
};

/** The records of an edition for its search index: kind by kind, by id. Both languages are in either rendering. */
export async function* readIndexedRecords(
  database: Database,
  edition: EditionContents,
): AsyncGenerator<IndexedRecord> {
  for (const kind of KINDS) {
    const count = edition.counts[kind];
    for (let first = 1; first <= count; first += BATCH_RECORDS) {
      const run = { first, last: Math.min(first + BATCH_RECORDS - 1, count) };
      const texts = await fetchRun(database, edition.id, LANGUAGES[0], FORMS[kind], run);
      const subjects =
        kind === 'location'
          ? await fetchEmbeddedUuids(database, edition.id, kind, 'subject', run)
          : undefined;
      for (const { position, text } of texts) {
        const record: Record<string, unknown> = JSON.parse(withoutMarks(text));
        if (subjects) record['subjects'] = subjects.get(position) ?? [];
        yield { kind, position, record };
      }
    }
  }
}
