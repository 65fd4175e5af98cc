import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { forKinds, manifestSchema } from '@archiefkast/types';
import { Parser, type Quad } from 'n3';
import { beforeAll, expect, test } from 'vitest';
import { runHere } from '../faults/run-here.ts';
import { publishHere, runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import { type ApiServer, ITSELF, serveDatabase } from '../support/api-server.ts';
import { DATED_BUNDLE } from '../support/dated-bundle.ts';
import { FIXTURE, writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { harvestByPerl, harvestOai, PERL_HARVESTERS } from '../support/oai-harvest.ts';
import { needs } from '../support/programs.ts';
import { createTestDatabase, describeEngines, type TestDatabase } from '../support/test-database.ts';
import { getJson } from '../support/walk.ts';

const GONE = uuidOf('person', 9_999);
const PERSON = uuidOf('person', 101);
const WORDS = {
  title: { nl: 'Proefarchief', en: 'Test archive' },
  description: { nl: 'Om te proberen', en: 'To try' },
  publisher: { nl: 'Wij', en: 'We' },
  organisation: { isil: 'NL-TestA', city: 'Leiden' },
  email: 'post@archive.test',
  licence: { name: 'CC0 1.0', url: 'https://creativecommons.org/publicdomain/zero/1.0/' },
  coverage: { period: '1575/1795' },
  logo: 'https://archive.test/logo.png',
  colours: { light: '#7a2e1d', dark: '#e9a48f' },
  highlights: [PERSON],
  replaced: { [GONE]: PERSON },
};

/** What a description says of the address at which it is served. */
const OF_ADDRESS = ['url', 'contentUrl', 'thumbnailUrl'].map((name) => `https://schema.org/${name}`);

describeEngines('copies of an archive (%s)', (engine) => {
  const places: TestDatabase[] = [];
  const servers: ApiServer[] = [];
  let original: ApiServer;
  let copy: ApiServer;
  let copyOfCopy: ApiServer;
  /** A harvest of the original. */
  let harvested: string;

  async function serve(bundle: string, settings = {}): Promise<ApiServer> {
    const place = await createTestDatabase(engine);
    await publishHere(place, bundle);
    places.push(place);
    const server = await serveDatabase(place, { BASE_URL: ITSELF, ...settings });
    servers.push(server);
    return server;
  }
  async function harvest({ origin }: ApiServer, name: string): Promise<string> {
    const folder = join(places[0]?.folder ?? '', name);
    const args = ['harvest', '--base-url', origin, '--out', folder, '--format', 'jsonl'];
    expect(await runHere(args)).toMatchObject({ code: 0 });
    return folder;
  }

  beforeAll(async () => {
    const place = await createTestDatabase(engine);
    places.push(place);
    const lines = forKinds((kind) => [
      ...FIXTURE[kind],
      ...DATED_BUNDLE[kind].map((line) => ({ ...line, id: line.id + 5_000 })),
    ]);
    const bundle = await writeBundle(join(place.folder, 'bundle'), lines);
    await writeFile(join(bundle, 'archive.json'), JSON.stringify({ ...WORDS, partial_dates: 'first-day' }));
    original = await serve(bundle);
    harvested = await harvest(original, 'harvested');
    copy = await serve(harvested);
    copyOfCopy = await serve(await harvest(copy, 'harvested-again'));
  });

  /** A copy of the harvest of the original, with another text in a file. */
  async function edited(file: string, change: (text: string) => string): Promise<string> {
    const folder = `${harvested}-edited`;
    await rm(folder, { recursive: true, force: true });
    await cp(harvested, folder, { recursive: true });
    const before = await readFile(join(folder, file), 'utf8');
    const after = change(before);
    expect(after).not.toBe(before);
    await writeFile(join(folder, file), after);
    return folder;
  }
  async function publishEdited(folder: string, settings = {}) {
    const place = await createTestDatabase(engine);
    const { code, stderr } = await runApiHere(['publish', folder], settingsFor(place, settings));
    return { code, stderr };
  }
  const triples = async (server: ApiServer) => {
    const packed = await (await server.fetch('/en/api/dump/archive.nt.gz')).arrayBuffer();
    return new Parser({ blankNodePrefix: 'b' }).parse(gunzipSync(packed).toString());
  };
  const lineOf = ({ subject, predicate, object }: Quad) =>
    [subject.value, predicate.value, object.value].join(' ');
  const readManifest = async (server: ApiServer) =>
    manifestSchema.parse(await getJson(server, '/en/api/dump/manifest.json'));
  const html = async (server: ApiServer, path: string) => (await server.fetch(path)).text();

  for (const [name, program] of Object.entries(PERL_HARVESTERS))
    test(`${name} gets the identifiers of the original`, needs('perl', name), async () => {
      const wanted = await harvestByPerl(program, original.origin);
      expect(wanted.length).toBeGreaterThan(50);
      for (const server of [copy, copyOfCopy]) {
        const found = await harvestByPerl(program, server.origin);
        expect(found).toEqual(wanted);
      }
    });

  test('name each record as the original does, and say the same of it', async () => {
    const [first, ...others] = await Promise.all(
      [original, copy, copyOfCopy].map(async (server) => {
        const all = await triples(server);
        const ofAddress = all.filter(({ predicate }) => OF_ADDRESS.includes(predicate.value));
        expect(ofAddress.some(({ object }) => object.value.startsWith(`${server.origin}/en/`))).toBe(true);
        return all.filter((quad) => !ofAddress.includes(quad)).map(lineOf);
      }),
    );
    expect(first).toContainEqual(expect.stringContaining(`${original.origin}/id/${PERSON} `));
    for (const other of others) expect(other).toEqual(first);
  });

  test('say in every protocol and on every page whose records these are', async () => {
    const name = `${original.origin}/id/${PERSON}`;
    for (const server of [copy, copyOfCopy]) {
      expect(await html(server, `/id/${PERSON}.nt`)).toContain(`<${name}> <https://schema.org/name>`);
      const page = await html(server, `/nl/personen/${PERSON}/`);
      expect(page).toContain(`<link rel="canonical" href="${original.origin}/nl/personen/${PERSON}/"`);
      expect(page).toMatch(RegExp(`Een kopie van <a href="${original.origin}">.*gecontroleerd op 20\\d\\d-`));
      expect(await html(server, '/en/')).toMatch(/A copy of <a .*, verified on 20\d\d-\d\d-\d\d\./);
      expect(page).toContain(`"@id":"${name}"`);
      const card = await html(server, `/nl/embed/${PERSON}`);
      expect(card).toContain(`<a href="${name}" target="_blank"`);
      expect(card).toContain(`<link rel="canonical" href="${original.origin}/nl/personen/${PERSON}/"`);
      expect(await html(server, `/oembed?url=${name}`)).toContain(
        `src=\\"${server.origin}/en/embed/${PERSON}\\"`,
      );
      expect(page).toContain(`, ${original.origin}/nl/personen/${PERSON}/.</p>`);
      const dataset = await getJson(server, '/dataset.jsonld');
      expect(dataset).toMatchObject({
        '@id': `${original.origin}/dataset`,
        url: { '@id': `${server.origin}/dataset` },
        publisher: { '@id': `${original.origin}/dataset#publisher` },
      });
      expect(await getJson(server, '/en/reconcile')).toMatchObject({
        identifierSpace: `${original.origin}/id/`,
        view: { url: `${server.origin}/id/{{id}}` },
      });
      const listed = await harvestOai(server.origin);
      expect([...listed.received.keys()]).toEqual([...(await harvestOai(original.origin)).received.keys()]);
      expect((await server.fetch('/sitemap.xml')).status).toBe(404);
      expect((await server.fetch('/sitemap-pages.xml')).status).toBe(404);
      expect((await server.fetch('/robots.txt')).status).toBe(200);
    }
    const own = await html(original, '/en/');
    expect(own).not.toContain('A copy of');
    expect(own).toContain(`<link rel="canonical" href="${original.origin}/en/"`);
    expect((await original.fetch('/sitemap.xml')).status).toBe(200);
  });

  test('have its words, and the successors of records that are gone', async () => {
    const [own, ...others] = await Promise.all(
      [original, copy, copyOfCopy].map(async (server) => {
        const { mirror_of, ...words } = (await readManifest(server)).archive ?? raise();
        const { verified_at, sha256: _, ...of } = mirror_of;
        return { words, of, verified_at };
      }),
    );
    expect(own).toMatchObject({ words: WORDS, of: { address: original.origin, edition: 1 } });
    const [first, second] = others;
    expect(first).toEqual({ ...own, verified_at: expect.any(String) });
    expect(second).toEqual(first);
    const led = await copyOfCopy.fetch(`/id/${GONE}`, { redirect: 'manual' });
    expect([led.status, led.headers.get('location')]).toEqual([301, PERSON]);
  });

  test.each([
    ['a record', 'persons.jsonl', (text: string) => text.replace('Huygens', 'Huijgens')],
    ['the words', 'archive.json', (text: string) => text.replace('We"', 'You"')],
    ['the supplement', 'supplement.jsonl', (text: string) => text.replace(/^.*\n/, '')],
  ])('are refused when %s was edited, with the ways out', async (_, file, change) => {
    const refused = await publishEdited(await edited(file, change));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      RegExp(
        `archive.json: mirror_of: this is not what was copied of ${original.origin}.*take mirror_of away.*harvest again`,
      ),
    );
  });

  test('become an archive of their own without mirror_of, which says what it was derived from', async () => {
    const folder = await edited('persons.jsonl', (text) => text.replace('Huygens', 'Huijgens'));
    const { mirror_of, ...words } = JSON.parse(await readFile(join(folder, 'archive.json'), 'utf8'));
    const own = { ...words, derived_from: `${mirror_of.address}/` };
    await writeFile(join(folder, 'archive.json'), JSON.stringify(own));
    const server = await serve(folder);
    const name = `<${server.origin}/id/${PERSON}>`;
    expect(await html(server, `/id/${PERSON}.nt`)).toContain(
      `${name} <http://www.w3.org/ns/prov#wasDerivedFrom> <${original.origin}/id/${PERSON}>`,
    );
    expect(await html(server, '/dataset.nt')).toContain(`wasDerivedFrom> <${original.origin}/dataset>`);
    expect(await html(server, '/en/')).not.toContain('A copy of');
  });

  test('pass through tables, and are refused when a cell was edited', async () => {
    const tables = `${harvested}-tables`;
    const converted = await runApiHere(['convert', harvested, tables], settingsFor(places[0] ?? raise()));
    expect(converted).toMatchObject({ code: 0 });
    expect(await publishEdited(tables)).toMatchObject({ code: 0 });
    const file = join(tables, 'persons.csv');
    await writeFile(file, (await readFile(file, 'utf8')).replace('Huygens', 'Huijgens'));
    const refused = await publishEdited(tables);
    expect(refused.stderr).toContain('archive.csv: mirror_of: this is not what was copied of');
  });

  test('are none where the address of the original is their own', async () => {
    const own = { BASE_URL: 'https://moved.test', IDENTITY_URL: original.origin };
    const folder = await edited('persons.jsonl', (text) => text.replace('Huygens', 'Huijgens'));
    expect(await publishEdited(folder, own)).toMatchObject({ code: 0 });
    const restored = await serveDatabase(places[2] ?? raise(), own);
    const page = await html(restored, `/en/personen/${PERSON}/`);
    expect(page).not.toContain('A copy of');
    expect(page).toContain(`<link rel="canonical" href="https://moved.test/en/personen/${PERSON}/"`);
    expect(page).toContain(`"@id":"${original.origin}/id/${PERSON}"`);
    const { archive, edition } = await readManifest(restored);
    expect(archive?.mirror_of).toMatchObject({ address: original.origin, key: edition.key });
  });
});

function raise(): never {
  throw new Error('it is missing');
}
