import { csvColumns, csvLine, readingRow } from '@archiefkast/formats/csv';
import type { Language } from '@archiefkast/types';
import type { EditionContents } from '../../storage/edition.ts';
import type { Chunk } from '../assemble.ts';
import { createFeatureWriter } from '../features.ts';
import { createPlainRecords, type RecordSources } from '../plain-records.ts';
import type { Dump, DumpFormat } from './dump-names.ts';
import type { NameFinder } from './record-names.ts';

/** What dumps are made from. */
export interface DumpSources extends RecordSources {
  names: NameFinder;
}

/** Writes records of one kind in one format. */
export interface DumpWriter {
  /** What stands before the first record. */
  head: string;
  /** What stands after the last one. */
  tail: string;
  /**
   * The records at positions, in their order.
   *
   * @param isFirst whether no record stands before them
   */
  write(positions: readonly number[], isFirst: boolean): Promise<Chunk[]>;
}

/** Writes the records of an edition as its dump of a kind and format has them. */
export function createDumpWriter(
  sources: DumpSources,
  edition: EditionContents,
  language: Language,
  { kind, format }: Dump,
): DumpWriter {
  const features = createFeatureWriter(sources.queries, sources.baseUrl);
  const columns = csvColumns(kind);
  const plain = createPlainRecords(sources, edition, language);
  const writers: Record<DumpFormat, DumpWriter> = {
    jsonl: {
      head: '',
      tail: '',
      async write(positions) {
        const places = positions.map((position) => ({ kind, position }));
        const records = await sources.reader.read(edition, language, places);
        return records.flatMap((record) => [...record, '\n']);
      },
    },
    csv: {
      head: csvLine(columns.map(({ name }) => name)),
      tail: '',
      async write(positions) {
        const some = await plain.read(kind, positions);
        const context = { language, names: await sources.names.find(edition, language, some) };
        return some.map((record) => csvLine(readingRow(columns, record, context)));
      },
    },
    geojson: {
      head: '{"type":"FeatureCollection","features":[',
      tail: '\n]}\n',
      async write(positions, isFirst) {
        const mapped = kind === 'event' ? kind : 'location';
        const written = await features.write(edition.id, language, mapped, positions);
        return written.map((feature, index) => `${isFirst && index === 0 ? '' : ','}\n${feature}`);
      },
    },
  };
  return writers[format];
}
