import { WrongAnswerError } from '../errors/request-errors.ts';
import { assertMatches, MismatchError, type Schema } from './assert-matches.ts';

/**
 * Parses the text of an answer and checks it.
 *
 * @param expected what the answer should be, in words
 * @param lenient accept fields that the contract does not know
 * @throws WrongAnswerError when it is not JSON, or not what was expected
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

/** The `detail`, else the `title`, of a problem document (RFC 9457); undefined when `text` is not one. */
export function problemDetail(text: string): string | undefined {
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem !== 'object' || problem === null) return undefined;
    if ('detail' in problem && typeof problem.detail === 'string') return problem.detail;
    return 'title' in problem && typeof problem.title === 'string' ? problem.title : undefined;
  } catch {
    return undefined;
  }
}
