import {
  eventSchema,
  type Kind,
  type Language,
  locationSchema,
  personSchema,
  type RecordOfKind,
  subjectSchema,
} from '@archiefkast/types';
import type { EditionName, RecordReader } from './assemble.ts';

const parsers: { readonly [kind in Kind]: (value: unknown) => RecordOfKind[kind] | undefined } = {
  person: (value) => personSchema.safeParse(value).data,
  subject: (value) => subjectSchema.safeParse(value).data,
  location: (value) => locationSchema.safeParse(value).data,
  event: (value) => eventSchema.safeParse(value).data,
};

/**
 * Parses a rendered text. Halves of surrogate pairs, which older releases let through, become U+FFFD: no address can be
 * made of them.
 *
 * @throws SyntaxError when the text is no JSON
 */
export function parseWellFormed(text: string): unknown {
  // JSON writes half of a pair as an escape, and nothing else so.
  return JSON.parse(text, text.includes('\\ud') ? wellFormed : undefined);
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/**
 * The records of a kind at these positions, as values in place of JSON. One that is not what the API promises is left
 * out: older releases published addresses such as `http:foo.jpg`.
 *
 * @throws MissingTextError when the edition does not have one of them: it is not kept any more
 */
export async function readRecords<OneKind extends Kind>(
  reader: RecordReader,
  edition: EditionName,
  language: Language,
  kind: OneKind,
  positions: readonly number[],
): Promise<RecordOfKind[OneKind][]> {
  const places = positions.map((position) => ({ kind, position }));
  const found = await reader.read(edition, language, places);
  return found
    .map((chunks) => parsers[kind](parseWellFormed(chunks.join(''))))
    .filter((record) => record !== undefined);
}
