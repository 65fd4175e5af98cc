import { type Suggestions, suggestionsSchema } from '@archiefkast/types';
import { nearestName } from '../../nearest-name.ts';
import { hasSuggestions, SEARCH_FIELDS } from '../../search/index.ts';
import { didYouMean } from '../problems/bilingual.ts';
import { Problem } from '../problems/problems.ts';
import { type ArchiveRoute, json, jsonContent } from './route.ts';

/** Values suggested at most. */
const MOST_VALUES = 10;

/** Characters of a prefix at most. */
export const LONGEST_PREFIX = 200;

/** The fields whose values can be suggested: texts, of which a part finds the record. */
export const SUGGESTED_FIELDS = SEARCH_FIELDS.filter(hasSuggestions).map(({ name }) => name);

/** Values of a field in which a word begins with what has been typed. */
export function suggestRoute(): ArchiveRoute {
  return {
    path: '/api/suggest',
    name: 'Suggestions',
    description: `Up to ${MOST_VALUES} values of a field, or names of records of all kinds, in which a word begins with what has been typed, without regard to case and diacritics: those that begin with it themselves first, then those of most records. Each has the number of records that have it, and names the record where that is but one.`,
    group: 'Search',
    content: jsonContent(suggestionsSchema),
    parameters: ['edition', 'field', 'prefix'],
    async answer({ parameters, open: { search }, signal }) {
      const field = readField(parameters);
      const prefix = readPrefix(parameters);
      const values = await search.suggest(field, prefix, MOST_VALUES, signal);
      const suggestions: Suggestions = {
        field: field ?? null,
        prefix,
        values: values.map(({ record, ...value }) => ({ ...value, ...record })),
      };
      return json([JSON.stringify(suggestions)]);
    },
  };
}

function readField(parameters: URLSearchParams): string | undefined {
  const name = parameters.get('field') ?? undefined;
  if (name === undefined || SUGGESTED_FIELDS.includes(name)) return name;
  const nearest = nearestName(name, SUGGESTED_FIELDS);
  const { en, nl } = didYouMean(nearest);
  throw new Problem(
    'invalid-suggestion',
    {
      en: `There are no suggestions for "${name}"${en}`,
      nl: `Er zijn geen suggesties voor "${name}"${nl}`,
    },
    {
      en: 'field=<field>, with one of fields; or no field, for names',
      nl: 'field=<veld>, met een van fields; of geen field, voor namen',
    },
    { fields: SUGGESTED_FIELDS, ...(nearest !== undefined && { nearest }) },
  );
}

function readPrefix(parameters: URLSearchParams): string {
  const prefix = parameters.get('prefix') ?? '';
  if (prefix.length <= LONGEST_PREFIX) return prefix;
  throw new Problem(
    'invalid-suggestion',
    { en: 'prefix is too long.', nl: 'prefix is te lang.' },
    { en: `at most ${LONGEST_PREFIX} characters`, nl: `hoogstens ${LONGEST_PREFIX} tekens` },
  );
}
