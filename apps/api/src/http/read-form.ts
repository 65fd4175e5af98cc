import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Problem } from './problems.ts';
import { ClientAborted } from './shared-work.ts';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Limit of any form, in bytes. */
const MOST_FORM_BYTES = 256 * 1024;

/**
 * The length of the form that a POST sends, in bytes; undefined if it is too long or not given.
 *
 * @param most the limit, in bytes
 */
export function formBytes({ headers }: IncomingMessage, most = MOST_FORM_BYTES): number | undefined {
  const length = Number(headers['content-length']);
  return length <= most ? length : undefined;
}

/**
 * Reads the form that a request sends as its body.
 *
 * @param most the limit of its length, in bytes
 * @returns the parameters, as in the query of a URL
 * @throws Problem if the body is of another type, has no length or is too long, or is not UTF-8; ClientAborted
 */
export async function readForm(request: IncomingMessage, most = MOST_FORM_BYTES): Promise<string> {
  const { 'content-type': type = '', 'content-length': length = 'missing' } = request.headers;
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw new Problem('invalid-form', `Content-Type is "${type}".`, FORM_TYPE);
  }
  if (formBytes(request, most) === undefined) {
    throw new Problem('invalid-form', `Content-Length is ${length}.`, `at most ${most} bytes`);
  }
  const body = await buffer(request).catch(() => {
    throw new ClientAborted();
  });
  if (isUtf8(body)) return body.toString();
  throw new Problem('invalid-form', 'The form is not UTF-8.', 'percent-encoded UTF-8, such as caf%C3%A9');
}
