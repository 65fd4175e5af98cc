import type { Kind, Language } from '@archive/types';
import type { EditionContents } from '../editions/edition.ts';
import type { Run } from '../editions/stored-texts.ts';
import { BASE_URL_MARK, withoutMarks } from '../render/marks.ts';
import type { Form } from '../render/render-record.ts';
import type { RecordReader } from './assemble.ts';
import { listPlaces } from './places.ts';
import type { TextQueries } from './texts.ts';

/** Where records are read from. */
export interface RecordSources {
  reader: RecordReader;
  queries: TextQueries;
  baseUrl: string;
}

/** The fields of a record. */
export type Fields = Readonly<Record<string, unknown>>;

/** Reads runs of records as objects; what they embed only where a field is made of nothing else. */
export interface PlainRecords {
  /** The texts of one form, with nothing in the places of what is embedded. */
  readForm<Plain>(form: Form, run: Run): Promise<Plain[]>;
  /** Records with all their fields. Events in the abbreviated form: there a reference is a URL, and nothing is embedded. */
  read(kind: Kind, run: Run): Promise<Fields[]>;
}

/** Reads the records of an edition as objects. */
export function createPlainRecords(
  { reader, queries, baseUrl }: RecordSources,
  edition: EditionContents,
  language: Language,
): PlainRecords {
  const readForm = async <Plain>(form: Form, run: Run): Promise<Plain[]> => {
    const texts = await queries.fetchRun(edition.id, language, form, run);
    return texts.map(({ text }) => JSON.parse(withoutMarks(text.replaceAll(BASE_URL_MARK, baseUrl))));
  };
  return {
    readForm,
    async read(kind, run) {
      if (kind === 'event') return await readForm('abbreviated_event', run);
      if (kind !== 'location') return await readForm(kind, run);
      const places = listPlaces(kind, { start: run.first - 1, end: run.last });
      const records = await reader.read(edition, language, places);
      return records.map((record) => JSON.parse(record.join('')));
    },
  };
}
