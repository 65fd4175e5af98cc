import * as types from '@archiefkast/types';
import type { z } from 'zod';
import type { AnswerName, AnswerSchemas, Issue } from './answer-schemas.ts';
import { unknownField, wrong } from './request/check-answer.ts';

const SCHEMAS: Readonly<Record<AnswerName, z.ZodType>> = {
  ...types.recordSchemas,
  AbbreviatedEvent: types.abbreviatedEventSchema,
  SearchEntry: types.searchEntrySchema,
  Suggestions: types.suggestionsSchema,
  Facets: types.facetsSchema,
  Editions: types.editionsSchema,
  Changes: types.changesSchema,
  Gone: types.goneSchema,
  ChangesHeader: types.changesHeaderSchema,
  ChangedRecord: types.changedRecordSchema,
  AbbreviatedChange: types.abbreviatedChangeSchema,
  Manifest: types.manifestSchema,
  Supplement: types.supplementSchema,
  ArchiveIndex: types.archiveIndexSchema,
};

/** The schemas of the contract, for `createClient`; they need zod, which is too large for many pages in browsers. */
export const contractSchemas: AnswerSchemas = (name, value) =>
  (SCHEMAS[name].safeParse(value, { reportInput: true }).error?.issues ?? []).flatMap(worded);

/** An issue in the words of the client; for a union, those of the closest alternative. */
function worded(issue: z.core.$ZodIssue): Issue[] {
  const { path, message, input } = issue;
  const say = (expected: string): Issue[] => [{ path, message: wrong(expected, input) }];
  switch (issue.code) {
    case 'invalid_type':
      if (input === undefined && path.length > 0) return [{ path, message: 'is missing' }];
      return say(issue.expected);
    case 'unrecognized_keys':
      return issue.keys.map((name) => unknownField(path, name));
    case 'invalid_union': {
      const alternatives = issue.errors.map((issues) => issues.flatMap(worded));
      // The deeper its first issue, the closer the alternative.
      const depth = ([first]: readonly Issue[]) => first?.path.length ?? 0;
      const closest = alternatives.toSorted((a, b) => depth(b) - depth(a)).at(0);
      if (!closest) return say('another value');
      return closest.map((each) => ({ ...each, path: [...path, ...each.path] }));
    }
    case 'invalid_format':
      return say(`a text that matches ${issue.pattern ?? issue.format}`);
    default:
      return say(message.replace(/^(?:[^:]*: )?expected /, ''));
  }
}
