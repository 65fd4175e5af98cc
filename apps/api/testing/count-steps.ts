import { Session } from 'node:inspector/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createNarrowing } from '../src/search/query/narrow-query.ts';
import { parseQuery } from '../src/search/query/parse-query.ts';
import { QueryError } from '../src/search/query/query.ts';

/**
 * A thread that counts what queries cost, with code that V8 has compiled with counters from its first run. It gets
 * queries, and answers with the `Steps` of each; of a query with `narrowed`, those of narrowing it by as many values.
 */
export interface Steps {
  /** How often all terms of a query were parsed. */
  parses: number;
  /** Blocks of code of the search that were entered. */
  steps: number;
}

export interface Counted {
  q: string;
  narrowed?: number;
}

/** Parses a query, whether it is valid or not. */
function read(q: string): void {
  try {
    parseQuery(q);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
  }
}

function narrow(q: string, values: number): void {
  const narrowBy = createNarrowing(q, parseQuery(q));
  for (let value = 0; value < values; value += 1) {
    if (narrowBy('city', `city ${value}`) === null) throw new Error(`city ${value}: expected a query`);
  }
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const counted: Steps[] = [];
for (const { q, narrowed } of workerData as readonly Counted[]) {
  // What is done only once is not counted.
  read(q);
  await session.post('Profiler.takePreciseCoverage');
  if (narrowed === undefined) read(q);
  else narrow(q, narrowed);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const functions = result
    .filter(({ url }) => /\/search\/(?:query|fields)\/[\w-]+\.ts$/.test(url))
    .flatMap((script) => script.functions);
  const sum = (counts: number[]) => counts.reduce((total, each) => total + each, 0);
  const parsing = functions.filter(({ functionName }) => functionName === 'parseTerms');
  counted.push({
    parses: sum(parsing.map(({ ranges }) => ranges[0]?.count ?? 0)),
    steps: sum(functions.flatMap(({ ranges }) => ranges.map(({ count }) => count))),
  });
}
parentPort?.postMessage(counted);
