import type { Engine } from '../support/create-database.ts';
import { SAMPLE_MEDIA } from '../support/sample.ts';
import { findLinks, listAddresses, listEditionAddresses, listVariants, patternOf, RAW } from './addresses.ts';
import { alignEditions, type Build, createBuild, type Server, serve } from './archive.ts';
import { type Answer, type Asked, both, mapPair, type Pair, sendRaw } from './ask.ts';
import { compareBodies, type Difference } from './differences.ts';
import { normaliseHeaders, normaliseRaw, Tags } from './normalise.ts';
import { compareHarvests, compareOffline, compareUpdates, createProgramComparer } from './programs.ts';
import type { Report } from './report.ts';

/** How two builds are compared. */
export interface Comparison {
  engine: Engine;
  mysql: string | null;
  /** The bundles of the editions. */
  editions: readonly string[];
  each: number;
  folder: string;
  /** Whether to request an address. */
  isChosen: (path: string) => boolean;
  /** Whether to compare only responses: not what programs print and write. */
  isPartial: boolean;
  report: Report;
}

/** Settings that differ between the engines, so that both values are compared. */
const SETTINGS = {
  sqlite: { BASE_URL: 'http://archive.test', MEDIA_DIR: SAMPLE_MEDIA },
  mysql: { BASE_URL: 'https://archive.test/base', MAP_TILES: 'https://tile.test/{z}/{x}/{y}.png|© Test' },
};
/** Addresses of a pattern that links lead to, and those that are requested in every way. */
const MOST_LINKED = 40;
const MOST_VARIED = 1;
const AT_ONCE = 4;

/** Publishes with two builds, each into its own database, and compares all that comes out. */
export async function compareBuilds(checkouts: Pair<string>, comparison: Comparison): Promise<void> {
  const { engine, mysql, editions, isPartial } = comparison;
  const builds = await both((side) => createBuild(checkouts[side], engine, mysql, SETTINGS[engine]));
  const hasPrograms = engine === 'sqlite' && !isPartial;
  const tags = new Tags();
  const compareProgram = createProgramComparer(builds, comparison);
  const publish = (bundle = '', ...more: string[]) =>
    compareProgram('publish', 'api', () => ['publish', bundle, ...more]);
  try {
    await publish(editions[0]);
    await alignEditions(builds, undefined);
    await withServers(builds, async (servers) => {
      // Its index is built; that of the third edition is patched. The files are alike on both engines.
      if (engine === 'sqlite') await compareAnswers(servers, 'first edition', comparison, tags, []);
      if (hasPrograms) await compareHarvests(builds, servers, compareProgram);
    });
    await publish(editions[1]);
    await publish(editions[1]);
    await publish(editions[2]);
    const held = await publish(editions[0], '--hold', '--keep', '3');
    const keys = mapPair(held, ({ stdout }) => /edition=(\S+)/.exec(stdout)?.[1] ?? '');
    await alignEditions(builds, keys);
    await withServers(builds, async (servers) => {
      const named = ['1', '2', '3', '4', '99', 'x', keys[0], keys[0].toUpperCase()];
      await compareAnswers(servers, 'third edition', comparison, tags, named);
      if (hasPrograms) await compareUpdates(servers, compareProgram);
    });
    if (hasPrograms) await compareOffline(builds, compareProgram, comparison.folder);
  } finally {
    await both((side) => builds[side].database.drop());
  }
}

async function withServers(
  builds: Pair<Build>,
  work: (servers: Pair<Server>) => Promise<void>,
): Promise<void> {
  const servers = await both((side) => serve(builds[side]));
  try {
    await work(servers);
  } finally {
    await both((side) => servers[side].stop());
  }
}

/** Compares every response of two servers. */
async function compareAnswers(
  servers: Pair<Server>,
  edition: string,
  { engine, each, isChosen, isPartial, report }: Comparison,
  tags: Tags,
  editions: readonly string[],
): Promise<void> {
  const baseUrl = SETTINGS[engine].BASE_URL;
  const started = performance.now();
  const phase = `${engine}, ${edition}`;
  tags.areExact = await haveSameVersion(servers);
  const counts = new Map<string, number>();
  const countOf = (pattern: string) => {
    const count = (counts.get(pattern) ?? 0) + 1;
    counts.set(pattern, count);
    return count;
  };

  const askBoth = (asked: Pair<Asked>) => both((side) => servers[side].ask(asked[side]));
  const compareOne = async (asked: Pair<Asked>): Promise<Pair<Answer>> => {
    const answers = await askBoth(asked);
    const { method, path, headers } = asked[0];
    const how = headers ? `${phase}, ${JSON.stringify(headers)}` : phase;
    report.add(`${method} ${path}`, how, compareResponses(answers, tags));
    return answers;
  };
  const visit = async (path: string): Promise<string[]> => {
    const asked: Asked = { method: 'GET', path };
    const answers = await compareOne([asked, asked]);
    if (countOf(`varied ${patternOf(path)}`) <= MOST_VARIED) {
      const [before, now] = mapPair(answers, (answer) => listVariants(path, answer));
      for (const [index, variant] of before.entries()) await compareOne([variant, now[index] ?? variant]);
    }
    return answers.flatMap((answer) => findLinks(answer, path, baseUrl));
  };

  const { dumps, others } = await listAddresses((path) => servers[0].ask({ method: 'GET', path }), each);
  const record = others.find((path) => /\/api\/persons\/[0-9a-f-]{36}$/.test(path)) ?? '';
  const page = others.find((path) => /\/personen\/[0-9a-f-]{36}\/$/.test(path)) ?? '';
  const named = listEditionAddresses(editions, [record, page]);
  const isDump = (path: string) => /\/dump\/|\.geojson|changes\.jsonl/.test(path);
  const oneByOne = [...dumps, ...named, ...others].filter((path) => isDump(path) && isChosen(path));
  for (const path of oneByOne) await visit(path);

  const queue = [...others, ...named].filter((path) => !isDump(path) && isChosen(path));
  const seen = new Set([...queue, ...oneByOne]);
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
    const [before, now] = await both(async (side) =>
      Buffer.from(normaliseRaw(await sendRaw(servers[side].port, bytes))),
    );
    report.add(`RAW ${bytes.slice(0, 60)}`, phase, compareBodies(before, now));
  }
}

function compareResponses([before, now]: Pair<Answer>, tags: Tags): Difference[] {
  const [first, second] = [normaliseHeaders(before), normaliseHeaders(now)];
  const found: Difference[] = [];
  for (const name of new Set([...first.keys(), ...second.keys()])) {
    const values = [first.get(name) ?? 'missing', second.get(name) ?? 'missing'] as const;
    const areEqual = name === 'etag' ? tags.areEqual(values) : values[0] === values[1];
    if (!areEqual) found.push({ field: name, before: values[0], now: values[1] });
  }
  const coding =
    first.get('content-encoding') === second.get('content-encoding')
      ? first.get('content-encoding')
      : undefined;
  return [...found, ...compareBodies(before.body, now.body, coding)];
}

/** Whether two programs have the same version and the same static files, so that their ETags are equal. */
async function haveSameVersion(servers: Pair<Server>): Promise<boolean> {
  const [before, now] = await both(async (side) => {
    const get = async (path: string) => (await servers[side].ask({ method: 'GET', path })).body.toString();
    const { info } = JSON.parse(await get('/openapi.json'));
    const pages = [
      await get('/en/'),
      await get('/en/docs'),
      await get('/en/zoeken/'),
      await get('/favicon.ico'),
    ];
    const locations = await get('/en/locaties/');
    const [location = ''] = /[0-9a-f-]{36}\/(?=")/.exec(locations) ?? [];
    pages.push(locations, await get(`/en/locaties/${location}`));
    const names = pages.flatMap((page) => page.match(/assets\/[\w.-]+/g) ?? []);
    return JSON.stringify([info.version, pages[3], [...new Set(names)].toSorted()]);
  });
  return before === now;
}
