import { COLLECTIONS, isKind, KINDS, type Kind, kindOfCollection } from '@archiefkast/types/kinds';

/** The kinds as they may be named: `person` and `persons` mean the same. */
export const KIND_NAMES = [...Object.values(COLLECTIONS), ...KINDS];

/** The kind that `person` or `persons` names. @throws RangeError when it names none */
export function parseKind(name: string): Kind {
  const kind = isKind(name) ? name : kindOfCollection(name);
  if (!kind) throw new RangeError(`there is no kind ${name}`);
  return kind;
}

/** The forms in which differences are printed. */
export const REPORT_FORMATS = ['table', 'json', 'csv'] as const;

/** A form in which differences are printed. */
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The forms in which hits are printed. */
export const SEARCH_FORMATS = ['table', 'json', 'jsonl', 'csv'] as const;

/** A form in which hits are printed. */
export type SearchFormat = (typeof SEARCH_FORMATS)[number];
