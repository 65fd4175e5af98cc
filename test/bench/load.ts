import { Agent, get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import autocannon from 'autocannon';

/** The concurrency and duration of a load. */
export interface Load {
  connections: number;
  seconds: number;
}

/** The result of a load. */
export interface Loaded {
  requests: number;
  requestsPerSecond: number;
}

/** More than the headers of a response take. */
const HEADERS = 4096;

/**
 * Requests one URL again and again.
 *
 * @param length bytes of the body of each response
 * @throws Error if a response has another status or length, so that fast but wrong responses do not count
 */
export async function loadOneUrl(
  url: string,
  length: number,
  { connections, seconds }: Load,
  headers: Record<string, string> = {},
): Promise<Loaded> {
  const result = await autocannon({ url, connections, headers, duration: seconds });
  const { total } = result.requests;
  const each = result.throughput.total / total;
  const wrong = result.errors + result.timeouts + result['4xx'] + result['5xx'];
  if (wrong > 0 || each < length || each > length + HEADERS) {
    throw new Error(
      `${url}: ${wrong} of ${total} responses are wrong; ${each} bytes each, expected ${length}`,
    );
  }
  return { requests: total, requestsPerSecond: total / result.duration };
}

/** The result of requesting many URLs. */
export interface Walked extends Loaded {
  /** Milliseconds from request to last byte, one for each URL. */
  latencies: number[];
  /** Number of responses with status 503. */
  refused: number;
}

/**
 * Requests every URL once, over `connections` connections.
 *
 * @param options.seconds after which no more requests are sent
 * @param options.mayRefuse whether a response may be 503, which a server that is too busy sends
 * @throws Error if a response is not 200, is cut off, or is no JSON object or page by its first and last byte
 */
export async function loadOnceEach(
  urls: readonly string[],
  connections: number,
  { seconds = Number.POSITIVE_INFINITY, mayRefuse = false }: { seconds?: number; mayRefuse?: boolean } = {},
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
      if ((await fetchOnce(url, agent, mayRefuse)) === REFUSED) refused += 1;
      latencies.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const took = (performance.now() - started) / 1000;
  agent.destroy();
  const requests = latencies.length;
  return { requests, requestsPerSecond: requests / took, latencies, refused };
}

/** The status of a server that is too busy. */
const REFUSED = 503;

/** Requests a URL. @returns the status */
async function fetchOnce(url: string, agent: Agent, mayRefuse: boolean): Promise<number> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent }, resolve).on('error', reject);
  });
  const body = await buffer(response);
  const { statusCode: status = 0 } = response;
  if (status === REFUSED && mayRefuse) return status;
  const ends = String.fromCharCode(body.at(0) ?? 0, body.at(-1) ?? 0);
  if (status === 200 && (ends === '{}' || ends === '<>')) return status;
  throw new Error(`${url}: status ${status}, ${body.length} bytes: no complete response`);
}
