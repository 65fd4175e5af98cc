import { findLinks, listAddresses, listEditionAddresses, listVariants, patternOf } from './addresses.ts';
import type { Server } from './archive.ts';
import { type Answer, type Asked, both, mapPair, type Pair, sendRaw } from './ask.ts';
import { compareBodies, type Difference } from './differences.ts';
import { normaliseHeaders, normaliseRaw, type Tags, withoutDutchSentences } from './normalise.ts';
import type { Report } from './report.ts';
import { list, RAW } from './requests.ts';

/** Addresses of a pattern that links lead to, and those that are requested in every way. */
const MOST_LINKED = 40;
const MOST_VARIED = 1;
const AT_ONCE = 4;

/** How the responses of two servers are compared. */
export interface AnswerComparison {
  each: number;
  /** Whether to request an address. */
  isChosen: (path: string) => boolean;
  /** Whether to compare only responses: not what programs print and write. */
  isPartial: boolean;
  report: Report;
}

interface AnswerOptions {
  /** Engine and edition, for the report. */
  phase: string;
  baseUrl: string;
  tags: Tags;
  /** Numbers and keys of editions to name in addresses. */
  editions: readonly string[];
}

/** Compares every response of two servers. */
export async function compareAnswers(
  servers: Pair<Server>,
  { each, isChosen, isPartial, report }: AnswerComparison,
  { phase, baseUrl, tags, editions }: AnswerOptions,
): Promise<void> {
  const started = performance.now();
  tags.areExact = await haveSameVersion(servers);
  const counts = new Map<string, number>();
  const countOf = (pattern: string) => {
    const count = (counts.get(pattern) ?? 0) + 1;
    counts.set(pattern, count);
    return count;
  };

  const compareOne = async (...asked: Pair<Asked>): Promise<Pair<Answer>> => {
    const answers = await both(({ ask }, side) => ask(asked[side]), servers);
    const { method, path, headers } = asked[0];
    const how = headers ? `${phase}, ${JSON.stringify(headers)}` : phase;
    report.add(`${method} ${path}`, how, compareResponses(answers, tags));
    return answers;
  };
  const visit = async (path: string): Promise<string[]> => {
    const asked: Asked = { method: 'GET', path };
    const answers = await compareOne(asked, asked);
    // Dumps of all kinds are alike, and large.
    const alike = patternOf(` ${path}`).replace(/(?<=\/dump\/)\w+/, '{}');
    if (countOf(`varied${alike}`) <= MOST_VARIED) {
      const [before, now] = mapPair(answers, (answer) => listVariants(path, answer));
      for (const [index, variant] of before.entries()) await compareOne(variant, now[index] ?? variant);
    }
    return answers.flatMap((answer) => findLinks(answer, path, baseUrl));
  };

  const get = async (path: string) => {
    const { headers, body } = await servers[0].ask({ method: 'GET', path });
    if (headers.has('cut off')) throw new Error(`${path}: ${headers.get('cut off')}`);
    return body.toString();
  };
  const listed = await listAddresses(get, each);
  const chosen = [...listed, ...listEditionAddresses(editions, listed)].filter(isChosen);
  // One at a time: what a dump's response has depends on those before.
  const isDump = (path: string) => /\/dump\/|\.geojson|changes\.jsonl/.test(path);
  for (const path of chosen.filter(isDump)) await visit(path);

  const queue = chosen.filter((path) => !isDump(path));
  const seen = new Set(chosen);
  const work = async () => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      for (const link of await visit(path)) {
        if (seen.has(link) || !isChosen(link) || countOf(`linked ${patternOf(link)}`) > MOST_LINKED) continue;
        seen.add(link);
        queue.push(link);
      }
    }
  };
  while (queue.length > 0) await Promise.all(Array.from({ length: AT_ONCE }, work));
  process.stderr.write(
    `${phase}: ${seen.size} addresses in ${Math.round((performance.now() - started) / 1_000)} s\n`,
  );
  if (isPartial) return;
  for (const bytes of RAW) {
    const raw = await both(
      async ({ port }) => Buffer.from(normaliseRaw(await sendRaw(port, bytes))),
      servers,
    );
    report.add(`RAW ${bytes.slice(0, 60)}`, phase, compareBodies(...raw));
  }
}

function compareResponses(answers: Pair<Answer>, tags: Tags): Difference[] {
  const [before, now] = mapPair(answers, withoutDutchSentences);
  const [first, second] = [normaliseHeaders(before), normaliseHeaders(now)];
  const found: Difference[] = [];
  for (const name of new Set([...first.keys(), ...second.keys()])) {
    const values = mapPair([first, second], (headers) => headers.get(name) ?? 'missing');
    const areEqual = name === 'etag' ? tags.areEqual(values) : values[0] === values[1];
    if (!areEqual) found.push({ field: name, before: values[0], now: values[1] });
  }
  const coding =
    first.get('content-encoding') === second.get('content-encoding')
      ? first.get('content-encoding')
      : undefined;
  return [...found, ...compareBodies(before.body, now.body, coding)];
}

/** Whether two programs have the same version and, as far as pages name them, the same static files, as their ETags say. */
async function haveSameVersion(servers: Pair<Server>): Promise<boolean> {
  const [before, now] = await both(async ({ ask }) => {
    const get = async (path: string) => (await ask({ method: 'GET', path })).body.toString();
    const places = await get('/en/locaties/');
    const paths = list(`/en/ /en/docs /en/zoeken/ /en/locaties/${/[0-9a-f-]{36}(?=\/")/.exec(places)}/`);
    const pages = await Promise.all(paths.map(get));
    const names = new Set(`${pages}`.match(/assets\/[\w.-]+/g));
    return [
      JSON.parse(await get('/openapi.json')).info.version,
      await get('/favicon.ico'),
      ...[...names].toSorted(),
    ].join();
  }, servers);
  return before === now;
}
