import {
  archiveIndexSchema,
  changedRecordSchema,
  changesHeaderSchema,
  changesSchema,
  editionsSchema,
  eventSchema,
  facetsSchema,
  locationSchema,
  manifestSchema,
  personSchema,
  searchEntrySchema,
  subjectSchema,
  suggestionsSchema,
  supplementSchema,
} from '@archiefkast/types';
import type { z } from 'zod';
import { type AnswerSchemas, type Issue, type Schema, unknownField, wrong } from './request/check-answer.ts';

/** The schemas of the contract, for `createClient`; they need zod, which is too large for many pages in browsers. */
export const contractSchemas: AnswerSchemas = {
  Person: inWords(personSchema),
  Subject: inWords(subjectSchema),
  Location: inWords(locationSchema),
  Event: inWords(eventSchema),
  SearchEntry: inWords(searchEntrySchema),
  Suggestions: inWords(suggestionsSchema),
  Facets: inWords(facetsSchema),
  Editions: inWords(editionsSchema),
  Changes: inWords(changesSchema),
  ChangesHeader: inWords(changesHeaderSchema),
  ChangedRecord: inWords(changedRecordSchema),
  Manifest: inWords(manifestSchema),
  Supplement: inWords(supplementSchema),
  ArchiveIndex: inWords(archiveIndexSchema),
};

/** A schema whose issues are in the words of the client. */
function inWords(schema: z.ZodType): Schema<unknown> {
  return {
    safeParse(value) {
      const { error } = schema.safeParse(value);
      if (!error) return { success: true };
      return { success: false, error: { issues: error.issues.flatMap((issue) => worded(issue, value)) } };
    },
  };
}

/** Names of types in messages. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** An issue in the words of the client; for a union, those of the closest alternative. */
function worded(issue: z.core.$ZodIssue, root: unknown): Issue[] {
  const { path, message } = issue;
  const value = path.reduce<unknown>((inner, key) => Object(inner)[key], root);
  const say = (expected: string): Issue[] => [{ path, message: wrong(expected, value) }];
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined && path.length > 0) return [{ path, message: 'is missing' }];
      return say(TYPES[issue.expected] ?? issue.expected);
    case 'unrecognized_keys':
      return issue.keys.map((name) => unknownField(path, name));
    case 'invalid_value':
      return say(issue.values.map((each) => JSON.stringify(each)).join(' or '));
    case 'invalid_format':
      return say(`a text that matches ${issue.pattern?.replace(/^\/|\/\w*$/g, '') ?? issue.format}`);
    case 'too_small':
      return say(`a whole number from ${issue.minimum}`);
    case 'too_big':
      return say('a whole number');
    case 'invalid_union': {
      const alternatives = issue.errors.map((issues) => issues.flatMap((each) => worded(each, value)));
      const closest = alternatives.toSorted((a, b) => depthOf(b) - depthOf(a)).at(0);
      if (!closest) return say(message);
      return closest.map((each) => ({ ...each, path: [...path, ...each.path] }));
    }
    default:
      return say(message.replace(/^expected /, ''));
  }
}

/** Depth of the first issue in a value: the deeper, the closer the alternative. */
function depthOf([first]: readonly Issue[]): number {
  return first?.path.length ?? 0;
}
