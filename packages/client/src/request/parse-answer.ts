import { type ProblemFacts, WrongAnswerError } from '../errors/request-errors.ts';
import { assertMatches, MismatchError, type Schema } from './assert-matches.ts';

/**
 * Parses and checks the text of a response.
 *
 * @param expected description of the expected response
 * @param lenient accept unknown fields
 * @throws WrongAnswerError if it is not JSON, or does not match the schema
 */
export function parseAnswer<T>(
  url: string,
  text: string,
  schema: Schema<T>,
  expected: string,
  lenient: boolean,
): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new WrongAnswerError(url, `expected ${expected}, as JSON`, text, { cause: error });
  }
  try {
    assertMatches(schema, value, lenient);
    return value;
  } catch (error) {
    if (!(error instanceof MismatchError)) throw error;
    throw new WrongAnswerError(url, `expected ${expected}, but ${error.message}`, text, { cause: error });
  }
}

/** Parses a problem document (RFC 9457); empty if `text` is not one. */
export function readProblem(text: string): ProblemFacts {
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem !== 'object' || problem === null) return {};
    const facts = new Map<string, unknown>(Object.entries(problem));
    const textOf = (name: string) => {
      const value = facts.get(name);
      return typeof value === 'string' ? value : undefined;
    };
    const fields = facts.get('fields');
    return {
      detail: textOf('detail') ?? textOf('title'),
      name: textOf('type')?.split('/').at(-1),
      type: textOf('type'),
      expected: textOf('expected'),
      fields: Array.isArray(fields) ? fields.map(String) : undefined,
    };
  } catch {
    return {};
  }
}
