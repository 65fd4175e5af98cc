import { SaxesParser } from 'saxes';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestArchive } from '../../support/api-server.ts';
import { makeBundle } from '../../support/bundles.ts';
import { residentMemory } from '../../support/memory.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The time limit of a response in milliseconds. */
const MOST = 5_000;
/** The limit of a form of `/oai`, in bytes. */
const MOST_FORM = 4_096;
/** Memory limit above that of the idle server, in MB. */
const MOST_MEGABYTES = 200;

const encoded = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const token = (...values: unknown[]) =>
  `verb=ListRecords&resumptionToken=${encodeURIComponent(values.join('.'))}`;
const KEY = '00000000-0000-4000-8000-000000000000';
const LIST = 'verb=ListRecords&metadataPrefix=oai_dc';

/** What attackers ask of `/oai`: each response is XML of status 200 with an error. */
const OF_OAI = {
  'names of the prototype': 'verb=__proto__',
  'a verb of methods': 'verb=constructor&metadataPrefix=oai_dc',
  'an argument of the prototype': `${LIST}&__proto__=1&hasOwnProperty=1`,
  'markup in a verb': 'verb=%3Cscript%3E%22%26%5D%5D%3E',
  'markup in an identifier': `verb=GetRecord&metadataPrefix=oai_dc&identifier=http:%22%3E%3C!ENTITY`,
  'what XML forbids': 'verb=ListRecords&resumptionToken=%00%01%0B%EF%BF%BE%EF%BF%BF%ED%A0%80',
  'SQL in a set': `${LIST}&set=persons'%20or%201=1--`,
  'SQL in an identifier': "verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:x:'%20or%20''='",
  'a year beyond dates': `${LIST}&from=9999-99-99`,
  'a span without end': `${LIST}&from=0000-01-01&until=0000-01-01`,
  'a thousand arguments': `${LIST}&${'from=2026-01-01&'.repeat(1_000)}`,
  'a thousand verbs': 'verb=ListRecords&'.repeat(1_000),
  'a long token': `verb=ListRecords&resumptionToken=${'A'.repeat(30_000)}`,
  'a deep token': `verb=ListRecords&resumptionToken=${Buffer.from('['.repeat(20_000)).toString('base64url')}`,
  'a token of no edition': token(KEY, '', '', '', 'person', 0, 0, 1),
  'a token of great numbers': token(KEY, 'persons', 1e308, -1, 'person', 9e99, 1e21, 0.5),
  'a token with a place in the prototype': token('__proto__', 'constructor', '', '', 'toString', 0, 0, 1),
} as const;

/** What attackers ask of `/reconcile`: each is a problem of status 4xx, or a result. */
const OF_RECONCILE = {
  'no JSON': '%7B',
  'deep JSON': encodeURIComponent('['.repeat(8_000)),
  'the prototype as a key': '%7B%22__proto__%22%3A%7B%22query%22%3A%22x%22%7D%7D',
  'a list': encoded([{ query: 'x' }]),
  'too many queries': encoded(
    Object.fromEntries(Array.from({ length: 51 }, (_, at) => [at, { query: 'x' }])),
  ),
  'a long name': encoded({ q: { query: 'x'.repeat(5_000) } }),
  'a name of marks': encoded({ q: { query: '\u0301\u0323'.repeat(200) } }),
  'a name of wildcards': encoded({ q: { query: '%_*()"\'\\'.repeat(30) } }),
  'fifty long names': encoded(
    Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`q${at}`, { query: 'jan de van '.repeat(4), limit: 20 }]),
    ),
  ),
  'an endless limit': encoded({ q: { query: 'jan', limit: 1e9 } }),
  'another type': encoded({ q: { query: 'jan', type: '__proto__' } }),
  'a property of the prototype': encoded({
    q: { query: 'jan', properties: [{ pid: 'constructor', v: 'x' }] },
  }),
  'too many values': encoded({
    q: { query: 'jan', properties: [{ pid: 'subject', v: Array(500).fill('x') }] },
  }),
} as const;

describe('hostile requests of harvesters and of matching', () => {
  let archive: TestArchive;
  let idle: number;
  beforeAll(async () => {
    const bundle = await makeBundle(await temporaryFolder(), { records: 2_000, seed: 5, busyPlace: 60 });
    archive = await startApi({ engine: 'sqlite', bundle });
    await (await archive.fetch(`/oai?${LIST}`)).text();
    idle = residentMemory(archive.process.pid);
  });
  const ask = async (path: string, form?: string) => {
    const started = performance.now();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const response = await archive.fetch(
      path,
      form === undefined ? {} : { method: 'POST', body: form, headers },
    );
    const text = await response.text();
    expect(performance.now() - started, path.slice(0, 100)).toBeLessThan(MOST);
    return { status: response.status, text };
  };
  const isXml = (text: string) => {
    const parser = new SaxesParser({ xmlns: true });
    parser.on('error', (error) => {
      throw error;
    });
    parser.write(text).close();
  };

  test.each(Object.entries(OF_OAI))('/oai refuses %s, by GET and by POST', async (_name, query) => {
    for (const form of [undefined, query]) {
      const { status, text } = await ask(form === undefined ? `/oai?${query}` : '/oai', form);
      if (form !== undefined && form.length > MOST_FORM) {
        expect(status).toBe(400);
        continue;
      }
      expect(status).toBe(200);
      isXml(text);
      expect(text).toMatch(/<error code="(bad\w+|idDoesNotExist|noRecordsMatch)">/);
    }
  });

  test.each(Object.entries(OF_RECONCILE))(
    '/reconcile stands %s, by GET and by POST',
    async (_name, queries) => {
      for (const { status, text } of [
        await ask(`/en/reconcile?queries=${queries}`),
        await ask('/nl/reconcile', `queries=${queries}`),
      ]) {
        expect([200, 400, 413]).toContain(status);
        expect(JSON.parse(text)).toBeTypeOf('object');
      }
    },
  );

  test.each([
    [
      'a form without a type',
      { method: 'POST', body: 'verb=Identify', headers: { 'Content-Type': 'text/plain' } },
      400,
    ],
    [
      'a form that is too long',
      { method: 'POST', body: new URLSearchParams({ verb: 'x'.repeat(300_000) }) },
      400,
    ],
    ['another method', { method: 'PUT', body: 'x' }, 405],
  ])('%s is refused', async (_name, init, status) => {
    for (const path of ['/oai', '/en/reconcile'])
      expect((await archive.fetch(path, init)).status).toBe(status);
  });

  test('a hundred lists, tokens and matches at once are answered, and leave no memory behind', async () => {
    const paths = Array.from(
      { length: 100 },
      (_, at) =>
        [
          `/oai?${LIST}`,
          `/oai?${LIST}&from=2000-01-01`,
          `/en/reconcile?queries=${OF_RECONCILE['fifty long names']}`,
        ][at % 3],
    );
    const found = await Promise.all(paths.map(async (path = '') => (await archive.fetch(path)).status));
    expect(found.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect((await ask('/en/api/persons')).status).toBe(200);
    await expect
      .poll(() => residentMemory(archive.process.pid) - idle, { timeout: 20_000 })
      .toBeLessThan(MOST_MEGABYTES);
  });
});
