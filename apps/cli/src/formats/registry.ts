import { COLLECTIONS } from '@archiefkast/types/kinds';
import type { Format, FormatFile } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';

/** JSON lines: each record as it was served. A bundle that can be published. */
const jsonlFormat: Format = {
  name: 'jsonl',
  files: (source) => [
    ...source.kinds.map((kind) => ({
      name: `${COLLECTIONS[kind]}.jsonl`,
      parts: () => source.blocks(kind),
      proven: source.lines(kind),
    })),
    supplementFile(source),
  ],
};

/** What the records cannot say, for `publish`: a file only if there is something. */
function supplementFile(source: HarvestSource): FormatFile {
  return {
    name: 'supplement.jsonl',
    isWanted: async () => (await source.supplements()).size > 0,
    async *parts() {
      for (const one of (await source.supplements()).values()) yield [`${JSON.stringify(one)}\n`];
    },
  };
}

/** A format by name, loaded on demand. */
interface RegisteredFormat {
  /** Name in `--format`. */
  name: string;
  /** Loads the format, which may need a large library. */
  load(): Promise<Format>;
}

/** All formats, in the order of writing. */
const FORMATS: readonly RegisteredFormat[] = [
  { name: 'csv', load: async () => (await import('./csv-format.ts')).csvFormat },
  { name: 'jsonl', load: async () => jsonlFormat },
  { name: 'geojson', load: async () => (await import('./geojson-format.ts')).geojsonFormat },
  { name: 'sqlite', load: async () => (await import('./sqlite-format.ts')).sqliteFormat },
  { name: 'xlsx', load: async () => (await import('./xlsx-format.ts')).xlsxFormat },
  { name: 'tables', load: async () => (await import('./tables-format.ts')).tablesFormat },
  { name: 'tables.xlsx', load: async () => (await import('./tables-format.ts')).workbookFormat },
];

/** Names of all formats. */
export const FORMAT_NAMES: readonly string[] = FORMATS.map(({ name }) => name);

/** Loads formats by name. */
export function loadFormats(names: readonly string[]): Promise<Format[]> {
  return Promise.all(FORMATS.filter(({ name }) => names.includes(name)).map((format) => format.load()));
}
