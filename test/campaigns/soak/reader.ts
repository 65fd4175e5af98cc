import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom, type Random } from '../../../apps/api/testing/random.ts';
import type { ApiServer } from '../../support/api-server.ts';
import { digest, type Oracle } from './oracle.ts';
import type { ServedWhen } from './served-when.ts';

/** What the readers saw. */
export interface Tally {
  answers: number;
  /** Responses with status 304. */
  unchanged: number;
  /** Requests that got a 503. */
  later: number;
  /** Responses that belong to no archive that may be served, and failed requests. */
  wrong: string[];
}

/** The pause of a reader between two requests, in milliseconds. */
const REST = 80;

const ENCODINGS = ['identity', 'gzip', 'br', 'gzip, br'];

/** Requests mixed paths until stopped, and compares every response with the oracle. */
export async function read(
  server: ApiServer,
  oracle: Oracle,
  served: ServedWhen,
  { seed, signal }: { seed: number; signal: AbortSignal },
): Promise<Tally> {
  const random = createRandom(seed);
  const tally: Tally = { answers: 0, unchanged: 0, later: 0, wrong: [] };
  const etags = new Map<string, { etag: string; archives: number[] }>();
  while (!signal.aborted) {
    const path = random.pick(oracle.paths);
    const known = random.below(4) === 0 ? etags.get(path) : undefined;
    const start = performance.now();
    try {
      const response = await server.fetch(path, { headers: headersFor(random, known?.etag) });
      const answer = await digest(response);
      const may = served.between(start, performance.now());
      const archives = may.filter((archive) => oracle.answers[archive]?.get(path) === answer);
      const isUnchanged = response.status === 304 && known?.archives.some((archive) => may.includes(archive));
      if (response.status === 503) tally.later += 1;
      else if (isUnchanged) tally.unchanged += 1;
      else if (archives.length === 0) tally.wrong.push(`${path}: ${answer}, of none of ${may.join(', ')}`);
      const etag = response.headers.get('etag');
      if (etag && archives.length > 0) etags.set(path, { etag, archives });
    } catch (error) {
      tally.wrong.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
    tally.answers += 1;
    await sleep(REST);
  }
  return tally;
}

function headersFor(random: Random, etag: string | undefined): Record<string, string> {
  return { 'accept-encoding': random.pick(ENCODINGS), ...(etag !== undefined && { 'if-none-match': etag }) };
}
