import type { Envelope } from '@archiefkast/types';
import type { AnswerName, Issue } from '../answer-schemas.ts';
import type { FilledOptions } from '../client-options.ts';
import { type ProblemFacts, responseError } from '../errors.ts';

/** What a response, or a line of one, must be. */
export interface Expected {
  url: string;
  /** Name of its schema; without it, any JSON is accepted. */
  schema?: AnswerName | undefined;
  /** Whether it is a page: the schema is that of its results. */
  isPage?: boolean;
  /** Its description, for errors: "a page of persons". */
  expected: string;
  /** Accept unknown fields; overrides the option. */
  lenient?: boolean | undefined;
}

/** The fields of an envelope, with what is expected of them. */
const ENVELOPE: Readonly<Record<keyof Envelope<unknown>, readonly [string, (value: unknown) => boolean]>> = {
  next: ['an absolute URL or null', isUrlOrNull],
  previous: ['an absolute URL or null', isUrlOrNull],
  count: ['a whole number from 0', isCount],
  total: ['a whole number from 0', isCount],
  language: ['a text', (value) => typeof value === 'string'],
  results: ['a list', Array.isArray],
};

function isUrlOrNull(value: unknown): boolean {
  return (
    value === null || (typeof value === 'string' && /^https?:\/\/\S+$/.test(value) && URL.canParse(value))
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** What is wrong with a page: with its envelope or, if that is valid, with its results. */
function issuesOfPage(value: unknown, check: (result: unknown) => readonly Issue[]): readonly Issue[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ path: [], message: wrong('an object', value) }];
  const fields = new Map<string, unknown>(Object.entries(value));
  const issues = Object.entries(ENVELOPE).flatMap(([field, [expected, is]]): Issue[] => {
    if (!fields.has(field)) return [{ path: [field], message: 'is missing' }];
    const found = fields.get(field);
    return is(found) ? [] : [{ path: [field], message: wrong(expected, found) }];
  });
  for (const field of fields.keys()) if (!(field in ENVELOPE)) issues.push(unknownField([], field));
  if (issues.length > 0) return issues;
  const results: unknown[] = Object(value).results;
  return results.flatMap((result, place) =>
    check(result).map((issue) => ({ ...issue, path: ['results', place, ...issue.path] })),
  );
}

/** The issue of a field that the contract does not know. */
export function unknownField(path: readonly PropertyKey[], name: string): Issue {
  return { code: 'unrecognized_keys', path, message: `has the unknown field "${name}"` };
}

/** The message of a wrong value. */
export function wrong(expected: string, value: unknown): string {
  const got = JSON.stringify(value)?.slice(0, 60) ?? String(value);
  return `expected ${expected}, not ${got}`;
}

/** Maximum number of issues in a message; more are counted. */
const NAMED_ISSUES = 3;

/**
 * Parses the text of a response, and checks it with the schemas of the options, if they have any.
 *
 * @throws RequestError if it is not JSON, or is invalid; the message lists fields and reasons
 */
export function parseAnswer<T>(
  text: string,
  { url, schema, isPage, expected, lenient }: Expected,
  options: Pick<FilledOptions, 'schemas' | 'lenient'>,
): T {
  let value: T;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw responseError(url, `expected ${expected}, as JSON`, text, error);
  }
  const check = (part: unknown) => (schema && options.schemas?.(schema, part)) || [];
  const issues = isPage ? issuesOfPage(value, check) : check(value);
  const refused =
    (lenient ?? options.lenient) ? issues.filter(({ code }) => code !== 'unrecognized_keys') : issues;
  if (refused.length === 0) return value;
  const named = refused
    .slice(0, NAMED_ISSUES)
    .map(({ path, message }) => `${path.map(String).join('.') || 'the whole response'}: ${message}`);
  if (refused.length > NAMED_ISSUES) named.push(`and ${refused.length - NAMED_ISSUES} more`);
  throw responseError(url, `expected ${expected}, but ${named.join('; ')}`, text);
}

/** Creates a decoder of UTF-8, of chunks with `stream`. It throws a RequestError for other bytes: they are not replaced. */
export function createDecoder(url: string) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (bytes?: Uint8Array, options?: { stream: boolean }): string => {
    try {
      return decoder.decode(bytes, options);
    } catch (error) {
      throw responseError(url, 'expected a response in UTF-8, but it has other bytes', undefined, error);
    }
  };
}

/** Whether a text is the beginning of JSON: empty, or with more opening than closing brackets outside of strings. */
export function isCut(text: string): boolean {
  const outside = text.replace(/"(?:[^"\\]|\\.)*(?:"|$)/gs, '').trim();
  const count = (brackets: RegExp) => outside.match(brackets)?.length ?? 0;
  return outside === '' || (/^[{[]/.test(outside) && count(/[{[]/g) > count(/[}\]]/g));
}

/** Parses a problem document (RFC 9457); empty if `text` is not one. */
export function readProblem(text: string): ProblemFacts {
  try {
    const { detail, title, type, expected, fields, corrections } = Object(JSON.parse(text));
    const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
    return {
      problem: textOf(type)?.split('/').at(-1),
      detail: textOf(detail) ?? textOf(title),
      type: textOf(type),
      expected: textOf(expected),
      fields: Array.isArray(fields) ? fields.map(String) : undefined,
      corrections: Array.isArray(corrections) ? corrections.map(String) : undefined,
    };
  } catch {
    return {};
  }
}
