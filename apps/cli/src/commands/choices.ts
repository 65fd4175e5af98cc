import { COLLECTIONS, isKind, KINDS, type Kind, kindOfCollection } from '@archiefkast/types/kinds';

/** Valid names of kinds: `person` and `persons` mean the same. */
export const KIND_NAMES = [...Object.values(COLLECTIONS), ...KINDS];

/** Parses a kind: `person` or `persons`. @throws RangeError if the name is unknown */
export function parseKind(name: string): Kind {
  const kind = isKind(name) ? name : kindOfCollection(name);
  if (!kind) throw new RangeError(`unknown kind ${name}`);
  return kind;
}

/** The formats of a list of changes. */
export const REPORT_FORMATS = ['table', 'json', 'csv'] as const;

/** A format of a list of changes. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The formats of a list of hits. */
export const SEARCH_FORMATS = ['table', 'json', 'jsonl', 'csv'] as const;

/** A format of a list of hits. */
export type SearchFormat = (typeof SEARCH_FORMATS)[number];
