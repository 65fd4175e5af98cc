import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** An answer as it came over the wire: nothing is decoded, no redirect is followed. */
export interface RawAnswer {
  url: string;
  status: number;
  /** By name in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
}

/** How a request is sent. */
export interface RawRequest {
  method?: 'GET' | 'HEAD' | 'OPTIONS';
  headers?: Readonly<Record<string, string>>;
}

/** Nothing that is looked at is larger; of what is, the first part is enough. */
const MOST_BYTES = 8 * 2 ** 20;

/** How long an answer may take. */
const PATIENCE_MILLISECONDS = 15_000;

/**
 * Sends one request.
 *
 * @throws Error when nothing answers, or not in time
 */
export async function fetchRaw(
  url: string,
  { method = 'GET', headers = {} }: RawRequest = {},
): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  const request = send(url, { method, headers, signal, agent: false }, (response) => {
    const parts: Buffer[] = [];
    let length = 0;
    const finish = () => {
      const flat = Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]);
      const body = Buffer.concat(parts);
      resolve({ url, status: response.statusCode ?? 0, headers: Object.fromEntries(flat), body });
    };
    response.on('data', (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length < MOST_BYTES) return;
      finish();
      request.destroy();
    });
    response.on('end', finish);
    response.on('error', reject);
  });
  request.on('error', (error) => reject(signal.aborted ? new Error('no answer within 15 s') : error));
  request.end();
  return await promise;
}
