import type { Kind, Language } from '@archiefkast/types';
import type { EditionContents } from '../storage/edition.ts';
import { withoutMarks } from '../storage/marks.ts';
import type { Form } from '../storage/stored-texts.ts';
import type { RecordReader } from './assemble.ts';
import type { TextQueries } from './texts.ts';

/** Where records are read from. */
export interface RecordSources {
  reader: RecordReader;
  queries: TextQueries;
  baseUrl: string;
}

/** The fields of a record. */
export type Fields = Readonly<Record<string, unknown>>;

/** Reads records as objects; what they embed only where a field is made of nothing else. */
export interface PlainRecords {
  /**
   * The records at positions, in their order, with all their fields. Events in the abbreviated form: there a reference is
   * a URL, and nothing is embedded.
   */
  read(kind: Kind, positions: readonly number[]): Promise<Fields[]>;
}

/** Reads the records of an edition as objects. */
export function createPlainRecords(
  { reader, queries, baseUrl }: RecordSources,
  edition: EditionContents,
  language: Language,
): PlainRecords {
  const readForm = async (form: Form, positions: readonly number[]): Promise<Fields[]> => {
    const texts = await queries.fetchAt(edition.id, language, form, positions);
    return texts.map(({ text }) => JSON.parse(withoutMarks(text, baseUrl)));
  };
  return {
    async read(kind, positions) {
      if (kind === 'event') return await readForm('abbreviated_event', positions);
      if (kind !== 'location') return await readForm(kind, positions);
      const places = positions.map((position) => ({ kind, position }));
      const records = await reader.read(edition, language, places);
      return records.map((record) => JSON.parse(record.join('')));
    },
  };
}
