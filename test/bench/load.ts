import { Agent, get } from 'node:http';
import autocannon from 'autocannon';

/** The concurrency and duration of a load test. */
export interface Load {
  connections: number;
  seconds: number;
}

/**
 * Requests per second for one URL, requested repeatedly.
 *
 * @param expected the body that every response must have; undefined to skip the comparison
 * @throws Error if a response is wrong, so that fast but wrong responses do not count
 */
export async function loadOneUrl(
  url: string,
  { connections, seconds }: Load,
  { headers = {}, expected }: { headers?: Record<string, string>; expected?: string | undefined } = {},
): Promise<number> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers,
    ...(expected !== undefined && { verifyBody: (body?: string | Buffer) => isBody(String(body), expected) }),
  });
  const { errors, timeouts, mismatches, '4xx': refused, '5xx': failed } = result;
  const wrong = { errors, timeouts, mismatches, refused, failed };
  if (Object.values(wrong).some((count) => count > 0)) {
    const counts = Object.entries(wrong).map(([what, count]) => `${count} ${what}`);
    throw new Error(`${url}: not every answer was right: ${counts.join(', ')}`);
  }
  return result.requests.total / result.duration;
}

/** How autocannon decodes the bytes of a character split over two parts. */
const CUT_CHARACTER = '\u{fffd}';
const BEYOND_ASCII = /[^\0-\x7f]+/g;

/**
 * Whether a body is the expected one. autocannon decodes each part of a body separately, and so garbles a character
 * split over two parts: a body where that may have happened is compared by its ASCII characters only.
 */
function isBody(body: string, expected: string): boolean {
  if (body === expected) return true;
  return (
    body.includes(CUT_CHARACTER) && body.replace(BEYOND_ASCII, '') === expected.replace(BEYOND_ASCII, '')
  );
}

/** The format of responses. */
export type Form = 'JSON' | 'HTML';

/** The result of requesting many URLs. */
export interface Walked {
  requestsPerSecond: number;
  /** Milliseconds from request to last byte, one for each URL, ascending. */
  latencies: number[];
  /** Number of responses with status 503. */
  refused: number;
}

/**
 * Requests every URL once, over `connections` connections.
 *
 * @param seconds after which no more requests are sent
 * @param options.form the format of the responses
 * @param options.mayRefuse whether a response may be 503, which a server that is too busy sends
 * @throws Error if a response is not 200, is incomplete, or does not have that format by its first and last byte
 */
export async function loadOnceEach(
  urls: readonly string[],
  connections: number,
  seconds = Number.POSITIVE_INFINITY,
  { form = 'JSON', mayRefuse = false }: { form?: Form; mayRefuse?: boolean } = {},
): Promise<Walked> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const queue = urls.values();
  const latencies: number[] = [];
  let refused = 0;
  const started = performance.now();
  const work = async () => {
    for (const url of queue) {
      const asked = performance.now();
      if (asked - started > seconds * 1000) return;
      const status = await fetchOnce(url, agent, form, mayRefuse);
      if (status === REFUSED) refused += 1;
      latencies.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const took = (performance.now() - started) / 1000;
  agent.destroy();
  const sorted = latencies.toSorted((a, b) => a - b);
  return { requestsPerSecond: latencies.length / took, latencies: sorted, refused };
}

/** The status of a server that is too busy. */
const REFUSED = 503;

/** Requests a URL. @returns the status */
function fetchOnce(url: string, agent: Agent, form: Form, mayRefuse: boolean): Promise<number> {
  const [opening, closing] = ENDS[form];
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      let length = 0;
      let first: number | undefined;
      let last: number | undefined;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        first ??= chunk[0];
        last = chunk.at(-1);
      });
      response.on('end', () => {
        const isWhole = length === Number(response.headers['content-length'] ?? length);
        const isOfForm = first === opening && (last === closing || last === LINE_END);
        const { statusCode: status = 0 } = response;
        if (status === 200 && isWhole && isOfForm) resolve(status);
        else if (status === REFUSED && mayRefuse) resolve(status);
        else reject(new Error(`${url}: status ${status}, ${length} bytes: no whole answer of ${form}`));
      });
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}

const ends = (opening: string, closing: string) => [opening.charCodeAt(0), closing.charCodeAt(0)] as const;

/** The first and last byte of a complete response. */
const ENDS: Readonly<Record<Form, readonly [opening: number, closing: number]>> = {
  JSON: ends('{', '}'),
  HTML: ends('<', '>'),
};

/** A template of Django ends with a line break. */
const LINE_END = '\n'.charCodeAt(0);
