import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Problem, type ProblemName } from './problems.ts';
import { ClientAborted } from './shared-work.ts';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** What the body of a request has to be. */
export interface ExpectedBody {
  type: string;
  /** Limit of its length, in bytes. */
  most: number;
  problem: Extract<ProblemName, 'invalid-form' | 'invalid-message'>;
}

/** Limit of any form, in bytes. */
export const MOST_FORM_BYTES = 256 * 1024;

/**
 * Reads the text that a request sends as its body, with its length or in chunks. Of one that is refused, not all is read.
 *
 * @throws Problem if the body is of another type, is too long, or is not UTF-8; ClientAborted
 */
export async function readBody(
  request: IncomingMessage,
  { type, most, problem }: ExpectedBody,
): Promise<string> {
  const { 'content-type': given = '', 'content-length': length } = request.headers;
  if (given.split(';', 1)[0]?.trim().toLowerCase() !== type) {
    throw new Problem(problem, `Content-Type is "${given}".`, type);
  }
  const chunks: Buffer[] = [];
  let bytes = Number(length ?? 0);
  const refuseLong = () => {
    if (bytes > most)
      throw new Problem(problem, `The body has ${bytes} bytes or more.`, `at most ${most} bytes`);
  };
  refuseLong();
  bytes = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      bytes += chunk.length;
      refuseLong();
    }
  } catch (error) {
    throw error instanceof Problem ? error : new ClientAborted();
  }
  const body = Buffer.concat(chunks);
  if (isUtf8(body)) return body.toString();
  throw new Problem(problem, 'The body is not UTF-8.', 'UTF-8; in a form percent-encoded, such as caf%C3%A9');
}
