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

const parsers: { readonly [kind in Kind]: (value: unknown) => RecordOfKind[kind] } = {
  person: (value) => personSchema.parse(value),
  subject: (value) => subjectSchema.parse(value),
  location: (value) => locationSchema.parse(value),
  event: (value) => eventSchema.parse(value),
};

/**
 * The records of a kind at these positions, as values in place of JSON.
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
  return found.map((chunks) => parsers[kind](JSON.parse(chunks.join(''))));
}
