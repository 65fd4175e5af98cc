import { csvColumns, csvLine, readingRow } from '@archive/formats';
import type { Kind, Language } from '@archive/types';
import type { EditionContents } from '../../editions/edition.ts';
import type { Run } from '../../editions/stored-texts.ts';
import type { Chunk } from '../assemble.ts';
import { createFeatureWriter } from '../features.ts';
import { listPlaces } from '../places.ts';
import { createPlainRecords, type RecordSources } from '../plain-records.ts';
import type { Dump, DumpFormat } from './dump-names.ts';
import type { NameFinder } from './record-names.ts';

/** Records in a part: what is in memory at a time, and made without a pause. Events embed the most. */
export const PART_RECORDS: Readonly<Record<Kind, number>> = {
  person: 100,
  subject: 100,
  location: 40,
  event: 20,
};

/** A file as parts, each of which can be made alone. */
export interface DumpParts {
  count: number;
  /** The content of a part, from 0. */
  make(part: number): Promise<Chunk[]>;
}

/** What dumps are made from. */
export interface DumpSources extends RecordSources {
  names: NameFinder;
}

/** A dump of an edition, in parts. */
export function createDumpParts(
  sources: DumpSources,
  edition: EditionContents,
  language: Language,
  { kind, format }: Dump,
): DumpParts {
  const features = createFeatureWriter(sources.queries, sources.baseUrl);
  const records = edition.counts[kind];
  const size = PART_RECORDS[kind];
  const columns = csvColumns(kind);
  const count = Math.max(1, Math.ceil(records / size));

  const plain = createPlainRecords(sources, edition, language);
  const read = (run: Run) =>
    sources.reader.read(edition, language, listPlaces(kind, { start: run.first - 1, end: run.last }));

  const formats: Record<DumpFormat, Format> = {
    jsonl: {
      head: '',
      tail: '',
      write: async (run) => (await read(run)).flatMap((record) => [...record, '\n']),
    },
    csv: {
      head: csvLine(columns.map(({ name }) => name)),
      tail: '',
      async write(run) {
        const some = await plain.read(kind, run);
        const context = { language, names: await sources.names.find(edition, language, some) };
        return some.map((record) => csvLine(readingRow(columns, record, context)));
      },
    },
    geojson: {
      head: '{"type":"FeatureCollection","features":[',
      tail: '\n]}\n',
      write: async ({ first, last }) => {
        const positions = Array.from({ length: last - first + 1 }, (_, index) => first + index);
        const mapped = kind === 'event' ? kind : 'location';
        const written = await features.write(edition.id, language, mapped, positions);
        return written.map((feature, index) => `${first + index > 1 ? ',' : ''}\n${feature}`);
      },
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

interface Format {
  head: string;
  tail: string;
  write(run: Run): Promise<Chunk[]>;
}
