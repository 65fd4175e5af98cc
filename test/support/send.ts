import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** An answer as it came over the wire. */
export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Sends any method and any path with exactly these headers, which `fetch` would add to, and decodes nothing.
 *
 * @param path what is asked for, as it stands: that of a URL loses its `..`
 */
export async function send(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  path?: string,
): Promise<Answered> {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(url, { method, headers, ...(path !== undefined && { path }) })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
}

/** Headers without those that differ from one request to the next. */
export function withoutMoment({
  date,
  'x-request-id': id,
  ...headers
}: IncomingHttpHeaders): IncomingHttpHeaders {
  if (!date || !id) throw new Error('an answer has no Date, or no X-Request-Id');
  return headers;
}
