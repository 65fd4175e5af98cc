import { type Kind, type Supplement, supplementSchema } from '@archiefkast/types';

/**
 * Kind of a stored text: a record of a kind, an event as its location lists it, or the supplement of a record, which
 * few records have. The column is `form`.
 */
export type TextKind = Kind | 'abbreviated_event' | SupplementKind;

/** Kind of a stored supplement. */
export type SupplementKind = (typeof SUPPLEMENTS)[Supplement['kind']];

/** The text kind of the supplements of a kind, for kinds that have some. */
export const SUPPLEMENTS = { person: 'person_supplement', event: 'event_supplement' } as const;

/** Whether records of a kind may have a supplement. */
export function hasSupplements(kind: Kind): kind is Supplement['kind'] {
  return kind in SUPPLEMENTS;
}

/** Whether a text kind is one of supplements. */
export function isSupplementKind(textKind: TextKind): textKind is SupplementKind {
  return Object.values<string>(SUPPLEMENTS).includes(textKind);
}

/** Parses a stored supplement. @throws SyntaxError or ZodError if it is invalid */
export function parseSupplement(text: string): Supplement {
  return supplementSchema.parse(JSON.parse(text));
}
