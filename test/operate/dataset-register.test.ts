import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { Parser, Store } from 'n3';
import ShaclValidator from 'rdf-validate-shacl';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { type ApiServer, ITSELF, serveDatabase } from '../support/api-server.ts';
import { endAtLast } from '../support/leftovers.ts';
import { needs, placeOf } from '../support/programs.ts';
import { SAMPLE, SAMPLE_MEDIA } from '../support/sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase } from '../support/test-database.ts';

/** A register that answers as its documentation says. It reads the description, and asks a licence of it. */
const known = new Set<string>();
let isAdmitting = true;
let register: Server;
let settings: Record<string, string>;
let complete: ApiServer;
let bare: ApiServer;

const SHACL = 'http://www.w3.org/ns/shacl#';
const report = (message: string) => [
  { '@type': [`${SHACL}ValidationReport`], [`${SHACL}conforms`]: [{ '@value': 'false' }] },
  {
    [`${SHACL}resultPath`]: [{ '@id': 'https://schema.org/license' }],
    [`${SHACL}resultMessage`]: [{ '@value': message }],
  },
];

/** Serves the sample, with other words of the archive. */
async function serveSample(change: object): Promise<ApiServer> {
  const bundle = join(await temporaryFolder(), 'bundle');
  await cp(SAMPLE, bundle, { recursive: true });
  const words = JSON.parse(await readFile(join(bundle, 'archive.json'), 'utf8'));
  await writeFile(join(bundle, 'archive.json'), JSON.stringify({ ...words, ...change }));
  const database = await createTestDatabase('sqlite');
  await publishHere(database, bundle);
  return serveDatabase(database, { BASE_URL: ITSELF, MEDIA_DIR: SAMPLE_MEDIA });
}

beforeAll(async () => {
  register = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://register');
    const answer = (status: number, body: unknown = []) =>
      response.writeHead(status, { 'Content-Type': 'application/ld+json' }).end(JSON.stringify(body));
    if (pathname !== '/api/datasets') return answer(404);
    if (request.method === 'GET') return answer(known.has(searchParams.get('url') ?? '') ? 200 : 404);
    expect(request.headers['content-type']).toBe('application/ld+json');
    const address = JSON.parse(await text(request))['@id'];
    if (!isAdmitting) return answer(403);
    const found = await fetch(address, { headers: { Accept: 'text/turtle' } }).catch(() => undefined);
    if (!found?.ok) return answer(404);
    const graph = new Store(new Parser().parse(await found.text()));
    if (graph.countQuads(null, null, 'https://schema.org/Dataset', null) === 0) return answer(406);
    if (graph.countQuads(null, 'https://schema.org/license', null, null) === 0)
      return answer(400, report('Less than 1 values'));
    known.add(address);
    return answer(202);
  }).listen(0, '127.0.0.1');
  await once(register, 'listening');
  const { port } = register.address() as AddressInfo;
  settings = { DATASET_REGISTER: `http://127.0.0.1:${port}/api` };
  const policy = { nl: 'https://archive.test/beleid', en: 'https://archive.test/policy' };
  [complete, bare] = await Promise.all([serveSample({ policy }), serveSample({ licence: undefined })]);
});
beforeEach(() => {
  isAdmitting = true;
  known.clear();
});
afterAll(() => void register?.close());

const run = (args: readonly string[], server: { origin: string }, more = {}) =>
  runApiHere(args, { ...settings, BASE_URL: server.origin, ...more });

describe('register', () => {
  test('submits the archive, after which the register knows it', async () => {
    const address = `${complete.origin}/dataset`;
    const { DATASET_REGISTER } = settings;
    expect(await run(['register', '--check'], complete)).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: `archive-api: ${DATASET_REGISTER} does not know ${address}\n`,
    });
    expect(await run(['register'], complete)).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: `${DATASET_REGISTER} has accepted ${address}, and reads it from now on.\n`,
    });
    expect(await run(['register', '--check'], complete)).toMatchObject({ code: 0, stderr: '' });
  });

  test.each<[string, () => unknown, object, RegExp]>([
    ['of a domain that is not admitted', () => (isAdmitting = false), {}, /has not admitted the domain/],
    ['that cannot be read', () => {}, { BASE_URL: 'http://127.0.0.1:9' }, /cannot read the address/],
    [
      'where no register is',
      () => {},
      { DATASET_REGISTER: 'http://127.0.0.1:9' },
      /^archive-api: no answer from the register at http:\/\/127\.0\.0\.1:9\/datasets: /,
    ],
  ])('says why a dataset is refused: %s', async (_, set, more, expected) => {
    set();
    const { code, stderr } = await run(['register'], complete, more);
    expect([code, stderr]).toEqual([1, expect.stringMatching(expected)]);
  });

  test('prints the report of an invalid description', async () => {
    const { code, stderr } = await run(['register'], bare);
    expect(code).toBe(1);
    expect(stderr).toContain('  https://schema.org/license: Less than 1 values\n');
    expect(stderr).toContain('finds the description invalid');
  });

  test.each(['register', 'register --check'])('%s says what else a server answers', async (line) => {
    const more = { DATASET_REGISTER: `${complete.origin}/en` };
    const { code, stderr } = await run(line.split(' '), complete, more);
    expect(code).toBe(1);
    expect(stderr).toMatch(/answers \d+; expected|does not know|cannot read/);
  });
});

interface Found {
  unmet: number;
  findings: { requirement: string; name: string; level: string; says: string; address: string }[];
}

async function examine(server: { origin: string }): Promise<Found & { code: number }> {
  const { code, stdout } = await run(['doctor', '--nde', server.origin, '--json'], server);
  return { code, ...JSON.parse(stdout) };
}

const readList = async (origin: string, collection: string): Promise<{ results: { uuid: string }[] }> =>
  (await fetch(`${origin}/en/api/${collection}`)).json();

/** An archive before which a server takes the names of two persons and the latitude of a place away, in linked data. */
async function spoil({ origin }: ApiServer): Promise<{ origin: string }> {
  const [persons, locations] = await Promise.all(
    ['persons', 'locations'].map(async (collection) => (await readList(origin, collection)).results),
  );
  const spoiled = [persons?.[0], persons?.[3], locations?.[1]].map((record) => record?.uuid ?? '');
  const proxy = createServer(async ({ url = '', headers }, response) => {
    const given = await fetch(origin + url, {
      headers: { accept: headers.accept ?? '' },
      redirect: 'manual',
    });
    const body = await given.text();
    const isSpoiled = spoiled.some((uuid) => url.startsWith(`/id/${uuid}`));
    const without = body
      .replace(/"(?:name|latitude)":/g, '"x":')
      .replace(/schema.org\/(?:name|latitude)>/g, 'schema.org/x>');
    response.writeHead(given.status, { 'content-type': given.headers.get('content-type') ?? '' });
    response.end(isSpoiled ? without : body);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  endAtLast(async () => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}` };
}

describe('doctor --nde', () => {
  const levels = ({ findings }: Found) =>
    findings.map(
      ({ requirement, level, name }) => `${requirement} ${level}: ${name.replace(/[,(:].*/, '').trim()}`,
    );

  test('says of each requirement whether it is met', async () => {
    await run(['register'], complete);
    const found = await examine(complete);
    expect(levels(found)).toEqual([
      '2.1 not met: names of records are https',
      '2.1.1 met: the policy on lasting addresses is documented',
      '2.1.2 met: names of removed records answer 301 or 410',
      '2.2.1 met: level 1',
      '2.2.1 met: level 2',
      '2.2.1 yours: level 3',
      '2.2.2 met: records are schema.org',
      '2.3 yours: terms are of the Network of Terms',
      '2.4 met: the dataset is described',
      '2.4 met: the dataset is registered',
      '2.5 not met: pictures have manifests',
    ]);
    expect([found.code, found.unmet]).toEqual([1, 2]);
    expect(new Set(found.findings.map(({ address }) => address.replace(/#.*/, ''))).size).toBe(1);
    const { stdout, stderr } = await run(['doctor', '--nde', complete.origin], complete);
    expect(stdout).toMatch(
      /^not met {2}2\.1 names of records are https: http.* is not https;.*\n {9}https:.*#persistent-uri$/m,
    );
    expect(stderr).toBe(`archive-api: 2 requirements not met at ${complete.origin}\n`);
  });

  test('finds what an archive without a licence and a registration lacks', async () => {
    const { findings } = await examine(bare);
    const says = findings.map(({ requirement, says }) => `${requirement} ${says}`);
    expect(says).toContain('2.4 /dataset lacks license; complete archive.json');
    expect(says).toContainEqual(
      expect.stringMatching(/^2\.4 .* does not know .*; run the command register$/),
    );
    expect(says).toContain('2.1.1 document it, and say where: policy in archive.json');
  });

  test.each([
    ['x', '--nde: expected the address of an archive, got "x"'],
    ['http://127.0.0.1:9', 'fetch failed'],
  ])('refuses %s', async (address, expected) => {
    const { code, stderr } = await run(['doctor', '--nde', address], complete);
    expect([code, stderr]).toEqual([1, expect.stringContaining(expected)]);
  });

  test('refuses what is no archive', async () => {
    const { origin } = { origin: settings['DATASET_REGISTER'] ?? '' };
    const { code, stderr } = await run(['doctor', '--nde', origin], complete);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('/en/api/persons answers 404; expected an archive'),
    ]);
  });

  test('agrees with the shapes of the network on the same records', needs('standards'), async () => {
    const text = await readFile(join(placeOf('standards'), 'schema-ap-nde-shacl.ttl'), 'utf8');
    const shapes = new ShaclValidator(new Store(new Parser().parse(text)));
    const spoiled = await spoil(complete);
    for (const server of [complete, bare, spoiled]) {
      const invalid: string[] = [];
      for (const kind of KINDS) {
        const { results } = await readList(server.origin, COLLECTIONS[kind]);
        for (const { uuid } of results.slice(0, 5)) {
          const triples = await (await fetch(`${server.origin}/id/${uuid}.nt`)).text();
          const { results } = await shapes.validate(new Store(new Parser().parse(triples)));
          if (results.length > 0) invalid.push(uuid);
        }
      }
      const { findings } = await examine(server);
      const { says = '' } = findings.find(({ requirement }) => requirement === '2.2.2') ?? {};
      expect(new Set(says.match(/[0-9a-f-]{36}(?=: )/g) ?? [])).toEqual(new Set(invalid));
      expect(invalid.length > 0).toBe(server === spoiled);
    }
  });
});
