import { COLLECTIONS } from '@archiefkast/types/kinds';
import type { Format } from './format.ts';

/** One record per line as it was served: a bundle, which can be published. */
const jsonlFormat: Format = {
  name: 'jsonl',
  files: (source) =>
    source.kinds.map((kind) => ({
      name: `${COLLECTIONS[kind]}.jsonl`,
      parts: () => source.blocks(kind),
      proven: source.lines(kind),
    })),
};

/** A format that a harvest can be written in: its name, and where it is. */
interface RegisteredFormat {
  /** As `--format` names it. */
  name: string;
  /** Loads what writes it: a format may need a large library. */
  load(): Promise<Format>;
}

/** Every format that a harvest can be written in, in the order in which they are written: to add one, add it here. */
const FORMATS: readonly RegisteredFormat[] = [
  { name: 'csv', load: async () => (await import('./csv-format.ts')).csvFormat },
  { name: 'jsonl', load: async () => jsonlFormat },
  { name: 'geojson', load: async () => (await import('./geojson-format.ts')).geojsonFormat },
  { name: 'sqlite', load: async () => (await import('./sqlite-format.ts')).sqliteFormat },
  { name: 'xlsx', load: async () => (await import('./xlsx-format.ts')).xlsxFormat },
  { name: 'tables', load: async () => (await import('./tables-format.ts')).tablesFormat },
  { name: 'tables.xlsx', load: async () => (await import('./tables-format.ts')).workbookFormat },
];

/** The names of the formats. */
export const FORMAT_NAMES: readonly string[] = FORMATS.map(({ name }) => name);

/** Loads the formats of these names. */
export function loadFormats(names: readonly string[]): Promise<Format[]> {
  return Promise.all(FORMATS.filter(({ name }) => names.includes(name)).map((format) => format.load()));
}
