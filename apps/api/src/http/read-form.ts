import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Problem } from './problems.ts';
import { ClientAborted } from './shared-work.ts';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Limit of any form, in bytes. */
export const MOST_FORM_BYTES = 256 * 1024;

/**
 * Reads the form that a request sends as its body, with its length or in chunks. Of one that is refused, not all is read.
 *
 * @param most the limit of its length, in bytes
 * @returns the parameters, as in the query of a URL
 * @throws Problem if the body is of another type, is too long, or is not UTF-8; ClientAborted
 */
export async function readForm(request: IncomingMessage, most = MOST_FORM_BYTES): Promise<string> {
  const { 'content-type': type = '', 'content-length': length } = request.headers;
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw new Problem('invalid-form', `Content-Type is "${type}".`, FORM_TYPE);
  }
  const chunks: Buffer[] = [];
  let bytes = Number(length ?? 0);
  const refuseLong = () => {
    if (bytes > most)
      throw new Problem('invalid-form', `The form has ${bytes} bytes or more.`, `at most ${most} bytes`);
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
  throw new Problem('invalid-form', 'The form is not UTF-8.', 'percent-encoded UTF-8, such as caf%C3%A9');
}
