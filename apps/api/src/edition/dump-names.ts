import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';

/** The formats of dumps, with their media types. */
export const DUMP_FORMATS = {
  jsonl: {
    contentType: 'application/jsonl',
    description: 'one on a line, as the list has them: four of these files are a bundle',
  },
  csv: {
    contentType: 'text/csv; charset=utf-8',
    description: 'one in a row, for reading and counting: plain text, names beside uuids, lists joined by |',
  },
  geojson: {
    contentType: 'application/geo+json',
    description: 'as features (RFC 7946) with numbers for coordinates, for QGIS and web maps',
  },
} as const satisfies Record<string, { contentType: string; description: string }>;

/** A format of dumps. */
export type DumpFormat = keyof typeof DUMP_FORMATS;

/** A file with all records of a kind. */
export interface Dump {
  kind: Kind;
  format: DumpFormat;
  /** URL path after the language. */
  path: string;
  /** Whether its events are abbreviated. */
  isAbbreviated?: boolean | undefined;
}

/** The dumps of an edition, per language, each at its own path. */
export const DUMPS: readonly Dump[] = [
  ...KINDS.flatMap((kind) => [dump(kind, 'jsonl'), dump(kind, 'csv')]),
  { kind: 'location', format: 'geojson', path: '/api/locations.geojson' },
  { kind: 'event', format: 'geojson', path: '/api/events.geojson' },
];

/** The dump of abbreviated events: that of events, with a parameter. */
export const ABBREVIATED_DUMP: Dump = { ...dump('event', 'jsonl'), isAbbreviated: true };

/** The dump of what the records of the others cannot say: the same in every language. */
export const SUPPLEMENT_DUMP = {
  name: 'supplement.jsonl',
  path: '/api/dump/supplement.jsonl',
  contentType: DUMP_FORMATS.jsonl.contentType,
} as const;

/** The dump of all records as linked data, in both languages. */
export const LINKED_DUMP = {
  name: 'archive.nt.gz',
  path: '/api/dump/archive.nt.gz',
  contentType: 'application/gzip',
  mediaType: 'application/n-triples+gzip',
} as const;

/** The file name of a dump. */
export function fileNameOf({ kind, format, isAbbreviated }: Omit<Dump, 'path'>): string {
  return `${COLLECTIONS[kind]}${isAbbreviated ? '-abbreviated' : ''}.${format}`;
}

function dump(kind: Kind, format: DumpFormat): Dump {
  return { kind, format, path: `/api/dump/${fileNameOf({ kind, format })}` };
}
