import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { describeFixture } from '../support/contract-archive.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { needs, placeOf } from '../support/programs.ts';
import { getJson } from '../support/walk.ts';

/** The JSON schemas of the Reconciliation API 0.2. */
const SCHEMAS = join(placeOf('standards'), 'reconciliation-0.2');

interface Named {
  id: string;
  name: string;
}

interface Candidate extends Named {
  description: string;
  score: number;
  match: boolean;
  type: Named[];
}

interface Manifest {
  defaultTypes: Named[];
  view: { url: string };
  suggest: Record<string, { service_url: string; service_path: string }>;
}

describeFixture('matching of names', (archive) => {
  const ask = async (queries: object | string, path = '/en/reconcile'): Promise<Response> => {
    const text = typeof queries === 'string' ? queries : JSON.stringify(queries);
    return await archive().fetch(`${path}?queries=${encodeURIComponent(text)}`);
  };
  const firstOf = async (query: object): Promise<Candidate> => {
    const [first] = await candidates(query);
    if (!first) throw new Error(`no candidate for ${JSON.stringify(query)}`);
    return first;
  };
  const send = (body: string, type = 'application/x-www-form-urlencoded') =>
    archive().fetch('/en/reconcile', { method: 'POST', body, headers: { 'Content-Type': type } });
  const candidates = async (query: object): Promise<Candidate[]> => {
    const response = await ask({ q0: query });
    expect(response.status).toBe(200);
    return (await response.json()).q0.result;
  };

  test('the manifest names what is matched, and addresses that exist', async () => {
    const manifest = await getJson<Manifest>(archive(), '/nl/reconcile');
    expect(manifest).toMatchObject({
      versions: ['0.2'],
      name: 'Proefarchief',
      identifierSpace: 'https://archive.test/base/id/',
      batchSize: 50,
      view: { url: 'https://archive.test/base/id/{{id}}' },
    });
    expect(manifest.defaultTypes).toContainEqual({ id: 'person', name: 'Persoon' });
    for (const { service_url, service_path } of Object.values(manifest.suggest)) {
      const found = await archive().fetch(`${service_url}${service_path}?prefix=a`);
      expect(found.status).toBe(200);
      await found.arrayBuffer();
    }
  });

  test.each([
    ['Gerrit van der Meer', 102, true],
    ['Meer, Gerrit van der', 102, true],
    ['GERRIT V.D. MEER', 102, false],
    ['Gerrit v.d. Meer', 102, true],
    ['Gerrit Meer', 102, true],
    ['G. van der Meer', 102, false],
    ['Christiaan Huijgens', 101, true],
    ['Christian Huigens', 101, false],
    ['Sigisbert Bosch', 103, false],
    ['Vereenigde Oostindische Compagnie', undefined, true],
  ])('%s is found first', async (query, id, match) => {
    const first = await firstOf({ query, type: 'person' });
    expect(first).toMatchObject({ match, type: [{ id: 'person', name: 'Person' }] });
    if (id !== undefined) expect(first.id).toBe(uuidOf('person', id));
    expect(first.score).toBeGreaterThan(50);
  });

  test('dates confirm another spelling, or refute a name', async () => {
    const query = { query: 'C. Huygens', type: 'person' };
    const born = (v: unknown) => ({ ...query, properties: [{ pid: 'birth_date', v }] });
    const plain = await firstOf(query);
    expect(plain).toMatchObject({
      id: uuidOf('person', 101),
      match: false,
      description: '1629–1695, Physicist',
    });
    for (const v of ['1629', 1629, '14-4-1629', '1629-04-14', ['1700', { id: 'x', name: '1629' }]])
      expect(await firstOf(born(v)), String(v)).toMatchObject({ id: plain.id, match: true });
    const refuted = await firstOf({ ...born('1720'), query: 'Christiaan Huygens' });
    expect(refuted.match).toBe(false);
    expect(refuted.score).toBeLessThan(plain.score);
  });

  test('persons who are not there, and namesakes, are no match', async () => {
    for (const query of ['Pieter Huygens', 'Anna Vries', 'Huygens', 'Anna', 'Zwaardemaker, K.'])
      for (const candidate of await candidates({ query, type: 'person' }))
        expect(candidate.match, query).toBe(false);
    expect(await candidates({ query: '!?' })).toEqual([]);
  });

  test('a batch has an answer for every query, by GET and POST alike; kinds and limits count', async () => {
    const batch = {
      a: { query: 'Leiden', type: ['location', 'event'], limit: 2 },
      b: { query: 'Huygens', limit: 1, type_strict: 'any' },
    };
    const got = await (await ask(batch)).text();
    expect(Object.keys(JSON.parse(got))).toEqual(['a', 'b']);
    expect(JSON.parse(got).b.result).toHaveLength(1);
    for (const { type } of JSON.parse(got).a.result) expect(['location', 'event']).toContain(type[0].id);
    const form = `queries=${encodeURIComponent(JSON.stringify(batch))}`;
    const [posted] = await Promise.all([send(form), send(`${form}&x=${'x'.repeat(200_000)}`)]);
    expect(await posted.text()).toBe(got);
    expect(posted.headers.get('access-control-allow-origin')).toBe('*');
    const options = await archive().fetch('/en/reconcile', { method: 'OPTIONS' });
    expect(options.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS, POST');
    expect((await options.json()).methods).toContain('POST');
  });

  test('a batch of long words is answered, and leaves no time for the spellings of later names', async () => {
    const misspelled = { query: 'Gerret Meeer', type: 'person', limit: 1 };
    const letters = 'abcdefghiklmnoprstuvwz';
    const word = (at: number) =>
      Array.from({ length: 30 }, (_, place) => letters[(at * (place + 7)) % 22]).join('');
    const long = (query: number) => Array.from({ length: 8 }, (_, at) => word(query * 8 + at)).join(' ');
    const queries = Array.from({ length: 49 }, (_, at) => [`q${at}`, { query: long(at), type: 'person' }]);
    const sendBatch = async (batch: object) => {
      const response = await send(`queries=${encodeURIComponent(JSON.stringify(batch))}`);
      expect(response.status).toBe(200);
      return await response.json();
    };
    const first = await sendBatch(Object.fromEntries([['last', misspelled], ...queries]));
    const last = await sendBatch(Object.fromEntries([...queries, ['last', misspelled]]));
    expect(first.last.result).toMatchObject([{ id: uuidOf('person', 102) }]);
    expect(last.last.result).toEqual([]);
    expect(Object.keys(last)).toHaveLength(50);
  });

  test('a query without a name finds records by their properties', async () => {
    const query = { type: 'person', properties: [{ pid: 'birth_place', v: 'Den Haag' }] };
    const found = await candidates(query);
    expect(found).toContainEqual(
      expect.objectContaining({ id: uuidOf('person', 101), score: 50, match: false }),
    );
    const born = { pid: 'birth_date', v: ['1629', 'no date'] };
    expect(await candidates({ ...query, properties: [...query.properties, born] })).toMatchObject([
      { id: uuidOf('person', 101) },
    ]);
    expect(await candidates({ properties: [{ pid: 'birth_date', v: 'no date' }] })).toEqual([]);
  });

  test('a uuid in place of a name finds its record', async () => {
    const id = uuidOf('person', 101);
    expect(await candidates({ query: id.toUpperCase() })).toMatchObject([{ id, score: 100, match: true }]);
    expect(await candidates({ query: id, type: 'location' })).toEqual([]);
  });

  test('what a service may ignore is ignored: other types, properties, limits, and values that are too long', async () => {
    const plain = await candidates({ query: 'Huygens' });
    for (const more of [
      { type: 'Q5' },
      { type: ['Q5', 'painter'] },
      { properties: [{ pid: 'colour', v: 'red' }] },
      { properties: [{ pid: 'toString', v: 'red' }] },
      { properties: [{ pid: 'birth_place', v: 'x'.repeat(501) }] },
      { properties: [] },
    ])
      expect(await candidates({ query: 'Huygens', ...more }), JSON.stringify(more)).toEqual(plain);
    const most = await candidates({ query: 'Anna', type: 'person', limit: 20 });
    expect(await candidates({ query: 'Anna', type: ['person', 'Q5'], limit: 25 })).toEqual(most);
    const twice = ['birth_place', 'death_place'].map((pid) => ({ pid, v: Array(11).fill('Den Haag') }));
    expect(await firstOf({ query: 'Huygens', properties: twice })).toMatchObject({
      id: uuidOf('person', 101),
    });
  });

  test.each([
    [{ type: 'person' }, /expected query or properties/],
    [{ query: 'x'.repeat(501) }, /query/],
    [{ query: 'x', limit: 0 }, /limit/],
    [{ query: 'x', properties: [{ v: 'red' }] }, /pid/],
    ['Huygens', /object/],
    [null, /object/],
  ])(
    'a query that is wrong says so, and the others of its batch are answered: %j',
    async (query, message) => {
      const response = await ask({ wrong: query, right: { query: 'Christiaan Huygens' } });
      expect(response.status).toBe(200);
      const { wrong, right } = await response.json();
      expect(wrong).toEqual({ result: [], message: expect.stringMatching(message) });
      expect(right.result).toMatchObject([{ id: uuidOf('person', 101) }, ...right.result.slice(1)]);
    },
  );

  test.each([
    ['{', 400, /not JSON/],
    [[{ query: 'x' }], 400, /not an object/],
    [Object.fromEntries(Array.from({ length: 51 }, (_, at) => [at, { query: 'x' }])), 413, /51 queries/],
  ])('a batch that is wrong is refused: %#', async (queries, status, detail) => {
    const response = await ask(queries);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ detail: expect.stringMatching(detail) });
  });

  test.each([
    ['queries={}', 'application/json', /Content-Type is "application\/json"/],
    [`queries=${'x'.repeat(300_000)}`, undefined, /300008 bytes/],
    ['queries=%ff', undefined, /Invalid UTF-8/],
  ])('a form that is wrong is refused: %#', async (body, type, detail) => {
    const response = await send(body, type);
    expect(response.status).toBe(400);
    expect((await response.json()).detail).toMatch(detail);
  });

  test('a POST elsewhere is not allowed', async () => {
    const response = await archive().fetch('/en/api/search', { method: 'POST', body: 'q=x' });
    expect(response.status).toBe(405);
    await response.arrayBuffer();
  });

  test('records, kinds and properties are suggested by their names', async () => {
    const suggest = async (of: string, prefix: string, language = 'en', cursor = 0) => {
      const path = `/${language}/reconcile/suggest/${of}?prefix=${prefix}&cursor=${cursor}`;
      return (await getJson<{ result: Named[] }>(archive(), path)).result;
    };
    expect(await suggest('entity', 'christiaan%20huy')).toMatchObject([
      { id: uuidOf('person', 101), notable: [{ id: 'person' }] },
    ]);
    expect(await suggest('entity', '')).toEqual([]);
    const id = uuidOf('person', 101);
    expect(await suggest('entity', id)).toMatchObject([{ id }]);
    expect(await suggest('entity', id, 'en', 1)).toEqual([]);
    const [first, second] = [await suggest('entity', 'nummer'), await suggest('entity', 'nummer', 'en', 10)];
    expect(first).toHaveLength(10);
    expect(new Set([...first, ...second].map((each) => each.id)).size).toBe(10 + second.length);
    expect(second).not.toEqual([]);
    expect(await suggest('property', 'birth', 'en', 1)).toEqual([
      { id: 'birth_place', name: 'Place of birth' },
    ]);
    const wrong = await archive().fetch('/en/reconcile/suggest/entity?prefix=a&cursor=-1');
    expect([wrong.status, (await wrong.json()).detail]).toEqual([400, 'Invalid cursor "-1".']);
    expect(await suggest('type', 'pers', 'nl')).toEqual([{ id: 'person', name: 'Persoon' }]);
    expect(await suggest('property', 'birth')).toEqual([
      { id: 'birth_date', name: 'Date of birth' },
      { id: 'birth_place', name: 'Place of birth' },
    ]);
  });

  describe('by the JSON schemas', needs('standards'), () => {
    test('manifest, results and suggestions are valid', async () => {
      const ajv = new Ajv({ strict: false, validateFormats: false });
      const read = async (name: string) => JSON.parse(await readFile(join(SCHEMAS, `${name}.json`), 'utf8'));
      ajv.addSchema(await read('type'), 'https://reconciliation-api.github.io/specs/0.2/schemas/type.json');
      const check = async (name: string | object, body: unknown) => {
        const { $schema, $id, ...schema } =
          typeof name === 'string' ? await read(name) : { $schema: '', $id: '', ...name };
        const isValid = ajv.compile({
          ...schema,
          $id: `https://reconciliation-api.github.io/specs/0.2/schemas/${name}.json`,
        });
        expect(isValid(body), JSON.stringify(isValid.errors)).toBe(true);
      };
      const manifest = await read('manifest');
      // Its schema of authentication is elsewhere.
      delete manifest.properties.authentication;
      await check(manifest, await getJson(archive(), '/en/reconcile'));
      await check('suggest-types-response', await getJson(archive(), '/en/reconcile/suggest/type?prefix='));
      await check(
        'suggest-entities-response',
        await getJson(archive(), '/en/reconcile/suggest/entity?prefix=a'),
      );
      const queries = { q0: { query: 'Huygens' }, q1: { query: uuidOf('person', 101) }, q2: {} };
      await check('reconciliation-result-batch', await (await ask(queries)).json());
    });
  });
});
