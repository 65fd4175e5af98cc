import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** A response as received: not decoded, and without following redirects. */
export interface RawAnswer {
  url: string;
  status: number;
  /** By name in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Buffer;
}

/** Options of a request. */
export interface RawRequest {
  method?: 'GET' | 'HEAD' | 'OPTIONS';
  headers?: Readonly<Record<string, string>>;
}

/** Limit of the body; the rest is not needed. */
const MOST_BYTES = 8 * 2 ** 20;

/** Timeout of a request. */
const PATIENCE_MILLISECONDS = 15_000;

/**
 * Sends one request.
 *
 * @throws Error if the connection fails or times out
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
  request.on('error', (error) => reject(signal.aborted ? new Error('no response within 15 s') : error));
  request.end();
  return await promise;
}
