import { CSV_COLUMNS, csvCell, csvLine, type Kind, type Language, type Location } from '@archive/types';
import type { EditionContents } from '../../editions/edition.ts';
import { BASE_URL_MARK, withoutMarks } from '../../render/marks.ts';
import type { Form } from '../../render/render-record.ts';
import type { Chunk, RecordReader } from '../assemble.ts';
import { listPlaces } from '../places.ts';
import type { TextQueries } from '../texts.ts';
import type { Dump, DumpFormat } from './dump-names.ts';
import { toFeature } from './feature.ts';

/** Records in a part: what is in memory at a time, and made without a pause. Events embed the most. */
const PART_RECORDS: Readonly<Record<Kind, number>> = { person: 100, subject: 100, location: 40, event: 20 };

/** A file as parts, each of which can be made alone. */
export interface DumpParts {
  count: number;
  /** The content of a part, from 0. */
  make(part: number): Promise<Chunk[]>;
}

/** What dumps are made from. */
export interface DumpSources {
  reader: RecordReader;
  queries: TextQueries;
  baseUrl: string;
}

/** A dump of an edition, in parts. */
export function createDumpParts(
  { reader, queries, baseUrl }: DumpSources,
  edition: EditionContents,
  language: Language,
  { kind, format }: Dump,
): DumpParts {
  const records = edition.counts[kind];
  const size = PART_RECORDS[kind];
  const count = Math.max(1, Math.ceil(records / size));

  const read = (run: Run) =>
    reader.read(edition, language, listPlaces(kind, { start: run.first - 1, end: run.last }));
  const readPlain = async <Plain>(form: Form, run: Run): Promise<Plain[]> => {
    const texts = await queries.fetchRun(edition.id, language, form, run);
    return texts.map(({ text }) => JSON.parse(withoutMarks(text.replaceAll(BASE_URL_MARK, baseUrl))));
  };
  const readFields: Record<Kind, (run: Run) => Promise<Fields[]>> = {
    person: (run) => readPlain('person', run),
    subject: (run) => readPlain('subject', run),
    location: async (run) => (await read(run)).map((record) => JSON.parse(record.join(''))),
    // In the abbreviated form a reference is a URL: the row is the same, and nothing embedded is read.
    event: (run) => readPlain('abbreviated_event', run),
  };

  const formats: Record<DumpFormat, Format> = {
    jsonl: {
      head: '',
      tail: '',
      write: async (run) => (await read(run)).flatMap((record) => [...record, '\n']),
    },
    csv: {
      head: csvLine(CSV_COLUMNS[kind]),
      tail: '',
      write: async (run) =>
        (await readFields[kind](run)).map((record) =>
          csvLine(CSV_COLUMNS[kind].map((column) => csvCell(column, record[column]))),
        ),
    },
    geojson: {
      head: '{"type":"FeatureCollection","features":[',
      tail: '\n]}\n',
      write: async (run) =>
        (await readPlain<Location>('location', run)).map(
          (location, index) => `${run.first + index > 1 ? ',' : ''}\n${JSON.stringify(toFeature(location))}`,
        ),
    },
  };
  const { head, tail, write } = formats[format];

  return {
    count,
    async make(part) {
      const first = part * size + 1;
      const last = Math.min(first + size - 1, records);
      const content = last >= first ? await write({ first, last }) : [];
      return [part === 0 ? head : '', ...content, part === count - 1 ? tail : ''];
    },
  };
}

/** A run of positions in a list, both included. */
interface Run {
  first: number;
  last: number;
}

type Fields = Readonly<Record<string, unknown>>;

interface Format {
  head: string;
  tail: string;
  write(run: Run): Promise<Chunk[]>;
}
