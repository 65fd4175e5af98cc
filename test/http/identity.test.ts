import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import jsonld from 'jsonld';
import { Parser, Store } from 'n3';
import ShaclValidator from 'rdf-validate-shacl';
import { describe, expect, test } from 'vitest';
import { describeFixture } from '../support/contract-archive.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { needs, placeOf } from '../support/programs.ts';
import { getJson } from '../support/walk.ts';

const PERSON = uuidOf('person', 101);
const PAGE = `/nl/personen/${PERSON}/`;

describeFixture('the address of a record', (archive) => {
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await archive().fetch(path, { redirect: 'manual', headers });
    return { ...response, status: response.status, headers: response.headers, text: await response.text() };
  };

  test.each([
    [{ 'Accept-Language': 'nl' }, `../nl/personen/${PERSON}/`],
    [{ 'Accept-Language': 'de' }, `../en/personen/${PERSON}/`],
    [{ Accept: 'text/html, application/ld+json;q=0.5' }, `../en/personen/${PERSON}/`],
    [{ Accept: 'application/ld+json' }, `../id/${PERSON}.jsonld`],
    [
      { Accept: 'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted";q=0.9, */*;q=0.1' },
      `../id/${PERSON}.jsonld`,
    ],
    [{ Accept: 'text/turtle, text/html;q=0.8' }, `../id/${PERSON}.ttl`],
    [{ Accept: 'application/n-triples' }, `../id/${PERSON}.nt`],
  ])('leads clients that send %j to %s', async (headers, location) => {
    const answer = await ask(`/id/${PERSON.toUpperCase()}`, headers);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, location]);
    expect(answer.headers.get('vary')).toMatch(/^Accept, .*Accept-Language/);
    const found = await ask(new URL(location, 'http://x/id/').pathname);
    expect(found.status).toBe(200);
  });

  test('a page leads to linked data too, whether it is cached or not', async () => {
    for (let time = 0; time < 2; time += 1) {
      // Once before the page is cached.
      expect((await ask(`${PAGE}?edition=1`, { Accept: 'application/*' })).status).toBe(303);
      for (const path of [PAGE, `${PAGE}?edition=1`])
        expect((await ask(path)).headers.get('content-type')).toBe('text/html; charset=utf-8');
      const answer = await ask(`${PAGE}?edition=1`, { Accept: 'application/ld+json' });
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `../../../id/${PERSON}.jsonld?edition=1`,
      ]);
      expect((await ask(PAGE, { Accept: 'text/turtle' })).status).toBe(303);
    }
  });

  test('JSON-LD, Turtle and N-Triples have the same triples, and stand in the page in both languages', async () => {
    const [json, turtle, triples] = await Promise.all(
      ['jsonld', 'ttl', 'nt'].map((form) => ask(`/id/${PERSON}.${form}`)),
    );
    expect(json?.headers.get('content-type')).toBe('application/ld+json');
    expect(turtle?.headers.get('content-type')).toBe('text/turtle; charset=utf-8');
    expect(triples?.headers.get('content-type')).toBe('application/n-triples');
    const canonical = async (input: unknown, options: object): Promise<string> =>
      await jsonld.canonize(input as object, {
        algorithm: 'URDNA2015',
        format: 'application/n-quads',
        ...options,
      });
    const expected = await canonical(JSON.parse(json?.text ?? ''), {});
    expect(await canonical(triples?.text, { inputFormat: 'application/n-quads' })).toBe(expected);
    expect(new Parser().parse(turtle?.text ?? '').length).toBe(expected.trim().split('\n').length);
    for (const path of [PAGE, PAGE.replace('/nl/', '/en/')]) {
      const { text } = await ask(path);
      const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? [];
      expect(JSON.parse(data)).toEqual(JSON.parse(json?.text ?? ''));
    }
  });

  test('of a record that does not exist is not found', async () => {
    const none = '00000000-0000-4000-8000-00000000ffff';
    for (const path of [
      `/id/${none}`,
      `/id/${none}.ttl`,
      '/id/x',
      `/id/${PERSON}.pdf`,
      `/id/${uuidOf('person', 9000)}`,
    ])
      expect((await ask(path)).status, path).toBe(404);
    expect((await ask(`/nl/personen/${none}/`, { Accept: 'application/ld+json' })).status).toBe(303);
  });

  describe('by the shapes of the networks', needs('standards'), () => {
    test('no record has a violation or a warning', async () => {
      const shapes = await Promise.all(
        ['schema-ap-nde-shacl.ttl', 'nde-dataset-shacl.ttl'].map(async (file) => {
          const text = await readFile(join(placeOf('standards'), file), 'utf8');
          return new ShaclValidator(new Store(new Parser().parse(text)));
        }),
      );
      const [profile] = shapes;
      const nameless = new Parser().parse('<https://x.test/1> a <https://schema.org/Person> .');
      expect((await profile?.validate(new Store(nameless)))?.conforms).toBe(false);
      let records = 0;
      for (const kind of KINDS) {
        const { results } = await getJson<{ results: { uuid: string }[] }>(
          archive(),
          `/en/api/${COLLECTIONS[kind]}`,
        );
        for (const { uuid } of results) {
          const { text } = await ask(`/id/${uuid}.nt`);
          const dataset = new Store(new Parser({ format: 'N-Triples' }).parse(text));
          for (const shape of shapes) {
            const { results } = await shape.validate(dataset);
            expect(
              results.map(({ path, message }) => [path, message]),
              uuid,
            ).toEqual([]);
          }
          records += 1;
        }
      }
      expect(records).toBe(40);
    });
  });
});
