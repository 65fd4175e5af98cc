import type { Kind } from '@archiefkast/types/kinds';

/** The name of a response, or of a part of one; the kind of a record. */
export type AnswerName =
  | Kind
  | 'AbbreviatedEvent'
  | 'SearchEntry'
  | 'Suggestions'
  | 'Facets'
  | 'Editions'
  | 'Changes'
  | 'Gone'
  | 'ChangesHeader'
  | 'ChangedRecord'
  | 'AbbreviatedChange'
  | 'Manifest'
  | 'Supplement'
  | 'ArchiveIndex';

/** A validation error; `code` is `unrecognized_keys` for an unknown field. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Checks a response, or a part of one, by its name in the contract. */
export type AnswerSchemas = (name: AnswerName, value: unknown) => readonly Issue[];
