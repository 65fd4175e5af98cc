import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { COLLECTIONS, type Kind } from '@archiefkast/types';
import jsonld from 'jsonld';
import { Parser, Store } from 'n3';
import ShaclValidator from 'rdf-validate-shacl';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { BASE_URL, startShared, type TestArchive } from '../support/api-server.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { needs, placeOf } from '../support/programs.ts';
import { SAMPLE } from '../support/sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { getJson } from '../support/walk.ts';

const SCHEMA = 'https://schema.org/';
const DATASET = `${BASE_URL}/dataset`;
const run = promisify(execFile);

describe('the archive as a dataset', () => {
  let archive: TestArchive;
  beforeAll(async () => {
    archive = await startShared('sample', 'sqlite');
  });
  const ask = (path: string, headers: Record<string, string> = {}) =>
    archive.fetch(path, { redirect: 'manual', headers });
  const read = async (path: string) => new Store(new Parser().parse(await (await ask(path)).text()));

  test.each([
    ['/dataset', { 'Accept-Language': 'nl' }, './nl/dataset/'],
    ['/dataset', { Accept: 'text/turtle' }, './dataset.ttl'],
    ['/dataset?edition=1', { Accept: 'application/ld+json' }, './dataset.jsonld?edition=1'],
    ['/nl/dataset/', { Accept: 'application/n-triples' }, '../../dataset.nt'],
  ])('%s leads clients that send %j to %s', async (path, headers, location) => {
    const answer = await ask(path, headers);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, location]);
  });

  test('has a page that every page leads to, with the same description and every form', async () => {
    expect(await (await ask('/en/')).text()).toContain('href="../en/dataset/">Data</a>');
    const page = await (await ask('/nl/dataset/')).text();
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
    expect(JSON.parse(data)).toEqual(await getJson(archive, '/dataset.jsonld'));
    const home = await (await ask('/nl/')).text();
    const [, site = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(home) ?? [];
    expect(JSON.parse(site).publisher['@id']).toBe(JSON.parse(data).publisher['@id']);
    const store = await read('/dataset.ttl');
    expect(store.size).toBe((await read('/dataset.nt')).size);
    const forms = store.getObjects(DATASET, `${SCHEMA}distribution`, null);
    expect(forms).toHaveLength(26);
    for (const form of forms) {
      const [url, type] = ['contentUrl', 'encodingFormat'].map(
        (name) => store.getObjects(form, SCHEMA + name, null)[0]?.value ?? '',
      );
      const response = await ask(url?.slice(BASE_URL.length) ?? '');
      const sent = response.headers.get('content-type')?.split(';')[0] ?? '';
      const sentType = sent === 'application/gzip' ? type?.replace(/.*\+gzip$/, sent) : type;
      expect([response.status, sent], url).toEqual([200, sentType]);
      await response.body?.cancel();
      expect(page).toContain(`href="../../${url?.slice(BASE_URL.length + 1)}"`);
    }
  });

  test('check says what a register will miss', async () => {
    const bundle = await writeBundle(await temporaryFolder(), {});
    expect((await runApiHere(['check', SAMPLE])).stdout).not.toContain('register');
    await writeFile(join(bundle, 'archive.json'), JSON.stringify({ title: { nl: 'x', en: 'x' } }));
    expect((await runApiHere(['check', bundle])).stdout).toContain(
      'For a register of datasets, the archive lacks: description, publisher, licence (of Creative Commons), contact and email, ' +
        'organisation.isil or organisation.kvk, created, coverage.place, coverage.period.',
    );
  });

  test.each(['a\u0001b@x.test', 'a@x\u001b[31m.test', 'a\ud800@x.test', 'a@x'])(
    'check refuses the e-mail address %j',
    async (email) => {
      const bundle = await writeBundle(await temporaryFolder(), {});
      await writeFile(join(bundle, 'archive.json'), JSON.stringify({ title: { nl: 'x', en: 'x' }, email }));
      const { code, stderr } = await runApiHere(['check', bundle]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('archive.json: email: expected an e-mail address'),
      ]);
    },
  );

  describe('by the shapes of the register', needs('standards'), () => {
    test('has no violation and no warning', async () => {
      const text = await readFile(join(placeOf('standards'), 'nde-dataset-shacl.ttl'), 'utf8');
      const rules = new Parser()
        .parse(text)
        .filter(({ predicate }) => predicate.value !== 'http://www.w3.org/ns/shacl#sparql');
      const shapes = new ShaclValidator(new Store(rules));
      const store = await read('/dataset.nt');
      const { results } = await shapes.validate(store);
      const found = results.filter(({ severity }) => !severity?.value.endsWith('#Info'));
      expect(found.map(({ path, message }) => [path?.value, message])).toEqual([]);
      // What the shapes ask in SPARQL, which the validator does not read.
      const [publisher] = store.getObjects(DATASET, `${SCHEMA}publisher`, null);
      for (const name of ['contactPoint', 'identifier', 'address'])
        expect(store.getObjects(publisher ?? null, SCHEMA + name, null), name).toHaveLength(1);
      expect(store.getObjects(null, `${SCHEMA}propertyID`, null)[0]?.termType).toBe('NamedNode');
      const bare = new Parser().parse(`<${DATASET}> a <${SCHEMA}Dataset> .`);
      expect((await shapes.validate(new Store(bare))).conforms).toBe(false);
    });
  });

  test(
    'the site names its publisher by an IRI, as the shapes of the networks ask',
    needs('standards'),
    async () => {
      const home = await (await ask('/nl/')).text();
      const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(home) ?? [];
      const site = { ...JSON.parse(data), '@context': { '@vocab': SCHEMA } };
      const store = new Store(
        new Parser().parse(String(await jsonld.toRDF(site, { format: 'application/n-quads' }))),
      );
      const [publisher] = store.getObjects(`${BASE_URL}/`, `${SCHEMA}publisher`, null);
      expect(publisher).toEqual(
        (await read('/dataset.nt')).getObjects(DATASET, `${SCHEMA}publisher`, null)[0],
      );
      for (const file of ['nde-dataset-shacl.ttl', 'schema-ap-nde-shacl.ttl']) {
        const rules = new Parser().parse(await readFile(join(placeOf('standards'), file), 'utf8'));
        const shapes = new Store(
          rules.filter(({ predicate }) => predicate.value !== 'http://www.w3.org/ns/shacl#sparql'),
        );
        const { results } = await new ShaclValidator(shapes).validate(store);
        expect(
          results.map(({ path, message }) => [path?.value, message]),
          file,
        ).toEqual([]);
      }
    },
  );

  describe('archive.nt.gz', () => {
    let triples: string;
    beforeAll(async () => {
      triples = gunzipSync(await (await ask('/nl/api/dump/archive.nt.gz')).bytes()).toString();
    });

    test('has every reference of the bundle, and the graph of every record', async () => {
      const store = new Store(new Parser({ format: 'N-Triples' }).parse(triples));
      const id = (uuid: unknown) => `${BASE_URL}/id/${String(uuid).slice(-36)}`;
      const references = new Set<string>();
      const note = (from: unknown, of: unknown) => {
        for (const each of [of ?? []].flat()) references.add(`${id(from)} ${id(each)}`);
      };
      const linesOf = async (kind: Kind) => {
        const text = await readFile(join(SAMPLE, `${COLLECTIONS[kind]}.jsonl`), 'utf8');
        return text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
          .filter(({ published }) => published !== false);
      };
      const subjects = await linesOf('subject');
      for (const { uuid, parent } of subjects) {
        const broader = subjects.find((each) => each.id === parent || each.uuid === parent);
        if (broader) note(uuid, broader.uuid);
      }
      for (const { uuid, subjects } of await linesOf('person')) note(uuid, subjects);
      for (const { uuid, subjects, related_locations = [], events = [] } of await linesOf('location')) {
        note(uuid, [...(subjects ?? []), ...related_locations]);
        // Being related is mutual.
        for (const other of related_locations) note(other, uuid);
        for (const event of events) note(event.uuid, event.subjects);
      }
      for (const { uuid, subjects, persons, location } of await linesOf('event'))
        note(uuid, [...(subjects ?? []), ...(persons ?? []), ...(location ? [location] : [])]);
      const found = store
        .getQuads(null, null, null, null)
        .filter(({ object }) => object.value.startsWith(`${BASE_URL}/id/`))
        .map(({ subject, object }) => `${subject.value} ${object.value}`);
      // Not those to records that are not published.
      const isServed = (pair: string) => store.countQuads(pair.split(' ')[1] ?? '', null, null, null) > 0;
      expect(found.toSorted()).toEqual([...references].filter(isServed).toSorted());
      const { dumps } = await getJson<{ dumps: { name: string; records: number }[] }>(
        archive,
        '/api/dump/manifest.json',
      );
      const named = dumps.find(({ name }) => name === 'archive.nt.gz');
      expect(store.getSubjects(`${SCHEMA}isPartOf`, DATASET, null)).toHaveLength(named?.records ?? 0);
      const again = await (await ask('/en/api/dump/archive.nt.gz')).bytes();
      expect(gunzipSync(again).toString() === triples).toBe(true);
    });

    test(
      'is read by parsers of others',
      needs('rapper', '/usr/lib/python3/dist-packages/rdflib'),
      async () => {
        const file = join(await temporaryFolder(), 'archive.nt');
        await writeFile(file, triples);
        const lines = triples.trim().split('\n');
        const { stderr } = await run('rapper', ['-i', 'ntriples', '-c', file]);
        expect(stderr).toContain(`Parsing returned ${lines.length} triples`);
        const program =
          'import rdflib, sys; g = rdflib.Graph(); g.parse(sys.argv[1], format="nt"); print(len(g))';
        const { stdout } = await run('/usr/bin/python3', ['-c', program, file]);
        expect(Number(stdout)).toBe(new Set(lines).size);
      },
    );
  });
});
