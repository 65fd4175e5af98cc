import { Agent, get } from 'node:http';
import autocannon from 'autocannon';

/** How hard and how long the server is asked. */
export interface Load {
  connections: number;
  seconds: number;
}

/**
 * Requests a second for one URL, asked again and again.
 *
 * @param expected the body that every answer must have; undefined when there is none to compare
 * @throws Error when an answer is wrong, so that a fast wrong answer does not count
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

/** What autocannon makes of the bytes of a character that came in two parts. */
const CUT_CHARACTER = '\u{fffd}';
const BEYOND_ASCII = /[^\0-\x7f]+/g;

/**
 * Whether a body is the expected one. autocannon decodes each part of a body as it comes, and so loses a character whose
 * bytes are in two of them: a body where that may have happened is compared without what is beyond ASCII.
 */
function isBody(body: string, expected: string): boolean {
  if (body === expected) return true;
  return (
    body.includes(CUT_CHARACTER) && body.replace(BEYOND_ASCII, '') === expected.replace(BEYOND_ASCII, '')
  );
}

/** What answers are. */
export type Form = 'JSON' | 'HTML';

/** What a walk over many URLs took. */
export interface Walked {
  requestsPerSecond: number;
  /** Milliseconds from request to last byte, one for each URL, rising. */
  latencies: number[];
}

/**
 * Asks for every URL once, `connections` at a time.
 *
 * @param seconds after so many, no more are asked for
 * @param form what the answers are
 * @throws Error when an answer is not 200, is cut, or is not of that form by its first and last byte
 */
export async function loadOnceEach(
  urls: readonly string[],
  connections: number,
  seconds = Number.POSITIVE_INFINITY,
  form: Form = 'JSON',
): Promise<Walked> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const queue = urls.values();
  const latencies: number[] = [];
  const started = performance.now();
  const work = async () => {
    for (const url of queue) {
      const asked = performance.now();
      if (asked - started > seconds * 1000) return;
      await fetchOnce(url, agent, form);
      latencies.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const took = (performance.now() - started) / 1000;
  agent.destroy();
  return { requestsPerSecond: latencies.length / took, latencies: latencies.toSorted((a, b) => a - b) };
}

function fetchOnce(url: string, agent: Agent, form: Form): Promise<void> {
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
        if (response.statusCode === 200 && isWhole && isOfForm) resolve();
        else
          reject(
            new Error(`${url}: status ${response.statusCode}, ${length} bytes: no whole answer of ${form}`),
          );
      });
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}

const ends = (opening: string, closing: string) => [opening.charCodeAt(0), closing.charCodeAt(0)] as const;

/** The first and the last byte of a whole answer. */
const ENDS: Readonly<Record<Form, readonly [opening: number, closing: number]>> = {
  JSON: ends('{', '}'),
  HTML: ends('<', '>'),
};

/** A template of Django ends with the line that it was written in. */
const LINE_END = '\n'.charCodeAt(0);
