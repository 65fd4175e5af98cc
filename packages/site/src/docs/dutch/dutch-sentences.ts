import { ENDPOINT_SENTENCES } from './endpoint-sentences.ts';
import { PARAMETER_SENTENCES } from './parameter-sentences.ts';
import { RECORD_SENTENCES } from './record-sentences.ts';
import { SEARCH_SENTENCES } from './search-sentences.ts';

/** The sentences with which the tables and schemas of the API describe it, in Dutch. */
export const DUTCH_SENTENCES: Readonly<Record<string, string>> = {
  ...RECORD_SENTENCES,
  ...SEARCH_SENTENCES,
  ...PARAMETER_SENTENCES,
  ...ENDPOINT_SENTENCES,
};
