import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A response as it was sent. */
export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Sends any method and path with exactly these headers, and decodes nothing: `fetch` would add headers.
 *
 * @param path the path exactly as sent, where a URL would lose its `..`
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

/** The headers that are equal for equal requests. */
export function withoutMoment({
  date,
  'x-request-id': id,
  ...headers
}: IncomingHttpHeaders): IncomingHttpHeaders {
  if (!date || !id) throw new Error('a response has no Date, or no X-Request-Id');
  return headers;
}
