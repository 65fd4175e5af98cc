import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Running, type Settings, startProcess } from '../support/api-process.ts';
import { freePort } from '../support/free-port.ts';
import { SAMPLE } from '../support/sample.ts';

/**
 * `npm run same -- --against CHECKOUT [--bundle FOLDER] [--each N]`: compares the responses, publishes and harvests of
 * this checkout with those of another one, byte by byte. Both must be built. Each publishes the bundle; both serve what
 * the other one published; each harvests in every format. Prints every difference, and of responses in what: the status,
 * headers or body; exit code 1 if there are any.
 */

const HERE = resolve(import.meta.dirname, '../..');
const KINDS = ['persons', 'subjects', 'locations', 'events'];
const PAGES = {
  persons: 'personen',
  subjects: 'onderwerpen',
  locations: 'locaties',
  events: 'gebeurtenissen',
};
const LANGUAGES = ['en', 'nl'];
const DUMPS = [
  ...KINDS.flatMap((kind) => [`dump/${kind}.csv`, `dump/${kind}.jsonl`]),
  ...['dump/manifest.json', 'locations.geojson', 'events.geojson'],
];
const QUERIES = [
  ...[
    'de',
    'amsterdam',
    'last_name:vries',
    'first_name:jan',
    'city:Leiden',
    'kind:event',
    'kind:person gender:f',
  ],
  ...[
    'birth_date:1600..1650',
    'street:gracht',
    'near:52.37,4.89,500m',
    '"de waal"',
    'subject:boek',
    'zzzz',
    'nope:1',
  ],
  ...['name:a', 'date:1650', 'id:1', 'kind:location', 'jan de', 'city:"Den Haag"', 'a:b:c', '*', '%'],
];

/** Headers that differ between two responses to the same request; an ETag has a hash of the program. */
const PASSING = new Set(['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding', 'etag']);

/** Values in files and bodies that differ between two publishes: times, and generated values. */
const OF_THE_MOMENT =
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?="[^{}]*published_at)/g;

interface Asked {
  method: string;
  path: string;
  headers?: Record<string, string>;
}

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    bundle: { type: 'string', default: SAMPLE },
    each: { type: 'string', default: '5' },
  },
});
if (values.against === undefined || !/^[1-9]\d*$/.test(values.each)) {
  process.stderr.write(
    'npm run same -- --against CHECKOUT [--bundle FOLDER] [--each N]: expected another built checkout\n',
  );
  process.exit(2);
}
const checkouts = [resolve(values.against), HERE] as const;
const folder = await mkdtemp(join(tmpdir(), 'archive-same-'));
const different: string[] = [];
let compared = 0;

const programOf = (checkout: string, app: 'api' | 'cli') =>
  join(checkout, `apps/${app}/bin/archive-${app}.js`);
const settingsOf = (archive: number, server: number): Settings => ({
  DATABASE_URL: `sqlite:${join(folder, `archive-${archive}.sqlite`)}`,
  DERIVED_DIR: join(folder, `derived-${archive}-${server}`),
  HOST: '127.0.0.1',
  LOG_LEVEL: 'info',
});

const run = (program: string, args: readonly string[], settings: Settings = {}) =>
  startProcess(args, settings, [], program).ended;

function compare(what: string, before: string, now: string): void {
  compared += 1;
  if (before !== now) different.push(what);
}

/** The headers of a response with its status, and its body. */
interface Told {
  headers: Record<string, string>;
  body: Buffer;
}

async function ask(origin: string, { method, path, headers = {} }: Asked): Promise<Told> {
  const response = await new Promise<import('node:http').IncomingMessage>((done, fail) => {
    request(origin + path, { method, headers })
      .on('response', done)
      .on('error', fail)
      .end();
  });
  const body = await buffer(response);
  const kept = Object.entries(response.headers).filter(([name]) => !PASSING.has(name));
  const told = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
  return { headers: { ...told, status: String(response.statusCode) }, body };
}

/** In what two responses differ; empty if they are the same. */
function differencesOf(before: Told, now: Told): string {
  const names = new Set([...Object.keys(before.headers), ...Object.keys(now.headers)]);
  const headers = [...names].filter((name) => before.headers[name] !== now.headers[name]);
  return [...headers, ...(before.body.equals(now.body) ? [] : ['body'])].join(', ');
}

async function serve(
  archive: number,
  checkout: number,
  baseUrl?: string,
): Promise<{ origin: string; process: Running }> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const settings = { ...settingsOf(archive, checkout), PORT: String(port), BASE_URL: baseUrl ?? origin };
  const process = startProcess(['serve'], settings, [], programOf(checkouts[checkout] ?? '', 'api'));
  await process.said(/"msg":"listening"/);
  // Search waits for its index, or for something to be published.
  const isStarting = async () => {
    const response = await fetch(`${origin}/en/api/search`);
    const { type } = (await response.json()) as { type?: string };
    return response.status === 503 && !type?.endsWith('/nothing-published');
  };
  while (await isStarting()) await sleep(50);
  return { origin, process };
}

/** All addresses to compare: whole lists, every n-th record with its page, and single resources. */
async function addresses(origin: string, each: number): Promise<Asked[]> {
  const paths: string[] = [
    '/',
    '/health',
    '/robots.txt',
    '/sitemap.xml',
    '/nope',
    '/en/nope',
    '/nl/api/nope',
    '/openapi.json',
  ];
  paths.push(
    '/api/editions',
    '/api/changes?since=1',
    '/api/changes?since=x',
    '/problems/not-found',
    '/problems/invalid-query',
  );
  for (const language of LANGUAGES) {
    paths.push(
      `/${language}/`,
      `/${language}/api`,
      `/${language}/docs`,
      `/${language}/feed.atom`,
      `/${language}/zoeken/`,
    );
    paths.push(
      `/${language}/api/facets`,
      `/${language}/api/openapi.json`,
      `/${language}/api/changes.jsonl?since=1`,
    );
    paths.push(...DUMPS.map((name) => `/${language}/api/${name}`));
    for (const query of QUERIES) {
      const q = encodeURIComponent(query);
      paths.push(`/${language}/api/search?q=${q}`, `/${language}/api/search?q=${q}&page=2&sort=name`);
      paths.push(
        `/${language}/zoeken/?q=${q}`,
        `/${language}/api/facets?q=${q}`,
        `/${language}/api/dump/persons.csv?q=${q}`,
      );
    }
    for (const prefix of ['a', 'am', 'van', 'é']) {
      paths.push(`/${language}/api/suggest?prefix=${encodeURIComponent(prefix)}`);
      paths.push(`/${language}/api/suggest?field=last_name&prefix=${encodeURIComponent(prefix)}`);
    }
    for (const kind of KINDS) {
      const page = JSON.parse(
        (await ask(origin, { method: 'GET', path: `/${language}/api/${kind}` })).body.toString(),
      );
      const last = Math.ceil(page.count / 10);
      for (let number = 1; number <= last; number += 1) paths.push(`/${language}/api/${kind}?page=${number}`);
      paths.push(`/${language}/api/${kind}?page=${last + 1}`, `/${language}/api/${kind}?fields=brief`);
      paths.push(`/${language}/api/${kind}?fields=uuid,title`, `/${language}/api/${kind}?format=xml`);
      const pagesOf = PAGES[kind as keyof typeof PAGES];
      paths.push(`/${language}/${pagesOf}/`, `/sitemap/${kind}-1.xml`);
      const lines = (await ask(origin, { method: 'GET', path: `/${language}/api/dump/${kind}.jsonl` })).body
        .toString()
        .trim();
      for (const [place, line] of lines.split('\n').entries()) {
        if (place % each !== 0) continue;
        const { uuid } = JSON.parse(line);
        paths.push(`/${language}/api/${kind}/${uuid}`, `/${language}/${pagesOf}/${uuid}/`);
      }
    }
  }
  const once = paths.filter((_, place) => place < 40);
  return [
    ...paths.map((path) => ({ method: 'GET', path })),
    ...once.flatMap((path) => [
      { method: 'HEAD', path },
      { method: 'OPTIONS', path },
      { method: 'POST', path },
      { method: 'GET', path, headers: { 'accept-encoding': 'gzip' } },
      {
        method: 'GET',
        path,
        headers: { 'accept-encoding': 'br, zstd', 'accept-language': 'nl', accept: 'text/html' },
      },
      { method: 'GET', path, headers: { range: 'bytes=10-99' } },
      { method: 'GET', path, headers: { 'if-none-match': '*', prefer: 'handling=strict' } },
    ]),
  ];
}

/**
 * Every file below a folder, by its path in it. Journals are left out, because they contain times; so are times in
 * other files, and the hashes of such files.
 */
async function filesOf(of: string): Promise<Map<string, string>> {
  const entries = await readdir(of, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries.filter((each) => each.isFile() && !each.parentPath.endsWith('.journal'))) {
    const path = join(entry.parentPath, entry.name);
    const text = (await readFile(path)).toString('latin1').replaceAll(OF_THE_MOMENT, '');
    // Each harvest makes a uuid for its tables, which tables.xlsx contains too.
    if (entry.name === 'tables.xlsx') continue;
    const isOfTheHarvest = ['harvest.json', 'datapackage.json', 'archive.csv'].includes(entry.name);
    const told = isOfTheHarvest ? text.replaceAll(/\b[0-9a-f]{64}\b|[0-9a-f]{8}-[0-9a-f-]{27}/g, '') : text;
    files.set(path.slice(of.length + 1), createHash('sha256').update(told).digest('hex'));
  }
  return files;
}

function compareFiles(what: string, before: Map<string, string>, now: Map<string, string>): void {
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    compare(`${what}: ${name}`, before.get(name) ?? 'missing', now.get(name) ?? 'missing');
  }
}

/** Serves an archive with both, and compares every response. */
async function compareAnswers(archive: number): Promise<void> {
  const baseUrl = 'https://archive.test/base';
  const servers = [await serve(archive, 0, baseUrl), await serve(archive, 1, baseUrl)] as const;
  // The length of a dump is known after it has been read once.
  for (const { origin } of servers) {
    for (const language of LANGUAGES) {
      const manifest = { method: 'GET', path: `/${language}/api/dump/manifest.json` };
      while ((await ask(origin, manifest)).body.includes('being-prepared')) await sleep(200);
    }
  }
  const asked = await addresses(servers[0].origin, Number(values.each));
  let next = 0;
  const work = async () => {
    for (let one = asked[next++]; one; one = asked[next++]) {
      const [before, now] = await Promise.all([ask(servers[0].origin, one), ask(servers[1].origin, one)]);
      const differences = differencesOf(before, now);
      compare(
        `${one.method} ${one.path} ${JSON.stringify(one.headers ?? {})} in ${differences}`,
        '',
        differences,
      );
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  for (const { process } of servers) {
    process.kill('SIGTERM');
    await process.ended;
  }
}

/** Harvests and exports one archive with both, and compares every file. */
async function compareHarvests(): Promise<void> {
  const { origin, process } = await serve(0, 0);
  const made: Map<string, string>[] = [];
  for (const [number, checkout] of checkouts.entries()) {
    const out = join(folder, `harvest-${number}`);
    const { code, stderr } = await run(programOf(checkout, 'cli'), [
      ...['harvest', '--base-url', origin, '--out', out, '--both', '--html'],
      ...['--format', 'jsonl,csv,tables,tables.xlsx,geojson,sqlite,xlsx'],
    ]);
    if (code !== 0) throw new Error(`harvest by ${checkout}: ${stderr}`);
    made.push(await filesOf(out));
  }
  compareFiles('harvest', made[0] ?? new Map(), made[1] ?? new Map());
  process.kill('SIGTERM');
  await process.ended;
}

/** Publishes with both, and compares their output and the exported archives. */
async function comparePublishes(): Promise<void> {
  const exported: Map<string, string>[] = [];
  const said: string[] = [];
  for (const [number, checkout] of checkouts.entries()) {
    const settings = settingsOf(number, number);
    const publish = await run(programOf(checkout, 'api'), ['publish', resolve(values.bundle)], settings);
    if (publish.code !== 0) throw new Error(`publish by ${checkout}: ${publish.stderr}`);
    said.push(publish.stderr.replaceAll(/[\d.,]+ (?:s|ms|MB)\b/g, '').replaceAll(/.*\r/g, ''));
    for (const form of ['jsonl', 'tables']) {
      const out = join(folder, `export-${number}-${form}`);
      const { code, stderr } = await run(programOf(checkout, 'api'), ['export', '--to', form, out], settings);
      if (code !== 0) throw new Error(`export by ${checkout}: ${stderr}`);
    }
    exported.push(await filesOf(join(folder, `export-${number}-jsonl`)));
    exported.push(await filesOf(join(folder, `export-${number}-tables`)));
  }
  compare('what publish says', said[0] ?? '', said[1] ?? '');
  compareFiles('export as jsonl', exported[0] ?? new Map(), exported[2] ?? new Map());
  compareFiles('export as tables', exported[1] ?? new Map(), exported[3] ?? new Map());
}

try {
  await comparePublishes();
  await compareAnswers(0);
  await compareAnswers(1);
  await compareHarvests();
} finally {
  await rm(folder, { recursive: true, force: true });
}
for (const each of different) process.stdout.write(`differs: ${each}\n`);
process.stdout.write(`${compared - different.length} the same, ${different.length} different\n`);
process.exitCode = different.length === 0 ? 0 : 1;
