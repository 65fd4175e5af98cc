import { beforeAll, describe, expect, test } from 'vitest';
import { type CountedApi, startCountedApi } from '../support/counted-api.ts';
import { listEveryPath } from '../support/every-path.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { send } from '../support/send.ts';

interface Held {
  etag: string;
  /** Missing for resources that belong to no edition. */
  modified: string | undefined;
}

const DAY = 86_400_000;
const shift = (date: string, milliseconds: number) => new Date(Date.parse(date) + milliseconds).toUTCString();
const OTHER = '"another"';

/** The validators that a client sends, and whether they match. */
const CASES: [name: string, headers: (held: Held) => Record<string, string>, holds: boolean][] = [
  ['nothing', () => ({}), false],
  ['the tag', ({ etag }) => ({ 'If-None-Match': etag }), true],
  ['the tag, made weak', ({ etag }) => ({ 'If-None-Match': `W/${etag}` }), true],
  ['a list with the tag at its end', ({ etag }) => ({ 'If-None-Match': `${OTHER}, W/"x", ${etag}` }), true],
  ['a list without spaces', ({ etag }) => ({ 'If-None-Match': `${etag},${OTHER}` }), true],
  ['a list of other tags', () => ({ 'If-None-Match': `${OTHER}, "more"` }), false],
  ['a star', () => ({ 'If-None-Match': '*' }), true],
  ['a star in a list', () => ({ 'If-None-Match': `${OTHER}, *` }), false],
  ['a star as a tag', () => ({ 'If-None-Match': '"*"' }), false],
  ['another tag', () => ({ 'If-None-Match': OTHER }), false],
  ['the tag without quotes', ({ etag }) => ({ 'If-None-Match': etag.slice(1, -1) }), false],
  ['the tag with a prefix', ({ etag }) => ({ 'If-None-Match': `"x${etag.slice(1)}` }), false],
  ['the tag with a suffix', ({ etag }) => ({ 'If-None-Match': `${etag.slice(0, -1)}x"` }), false],
  ['the tag inside another', ({ etag }) => ({ 'If-None-Match': `x${etag}x` }), false],
  ['the tag in another letter case', ({ etag }) => ({ 'If-None-Match': swapCase(etag) }), false],
  ['an empty tag', () => ({ 'If-None-Match': '""' }), false],
  ['the date', ({ modified }) => (modified === undefined ? {} : { 'If-Modified-Since': modified }), true],
  ['an earlier date', ({ modified }) => since(modified, -DAY), false],
  ['a later date, as after a rollback', ({ modified }) => since(modified, DAY), false],
  ['an invalid date', () => ({ 'If-Modified-Since': 'yesterday' }), false],
  ['another tag, and the date', ({ modified }) => ({ 'If-None-Match': OTHER, ...since(modified, 0) }), false],
  [
    'the tag, and an earlier date',
    ({ etag, modified }) => ({ 'If-None-Match': etag, ...since(modified, -DAY) }),
    true,
  ],
];

const EARLIER = 'Sun, 06 Nov 1994 08:49:37 GMT';

/** Preconditions, and the status of a list, page or map, and of a dump with ranges, for a request with `Range`. */
const PRECONDITIONS: [headers: (held: Held) => Record<string, string>, whole: number, dump: number][] = [
  [({ etag }) => ({ 'If-Match': etag }), 200, 206],
  [({ etag }) => ({ 'If-Match': `"x", ${etag}` }), 200, 206],
  [() => ({ 'If-Match': '*' }), 200, 206],
  [() => ({ 'If-Match': OTHER }), 412, 412],
  [({ etag }) => ({ 'If-Match': `W/${etag}` }), 412, 412],
  [({ modified = '' }) => ({ 'If-Unmodified-Since': modified }), 200, 206],
  [() => ({ 'If-Unmodified-Since': EARLIER }), 412, 412],
  [() => ({ 'If-Unmodified-Since': 'Sunday, 06-Nov-94 08:49:37 GMT' }), 412, 412],
  [() => ({ 'If-Unmodified-Since': 'Sun Nov  6 08:49:37 1994' }), 412, 412],
  [() => ({ 'If-Unmodified-Since': '1994-11-06' }), 200, 206],
  [({ etag }) => ({ 'If-Match': etag, 'If-Unmodified-Since': EARLIER }), 200, 206],
  [({ etag }) => ({ 'If-Match': etag, 'If-None-Match': etag }), 304, 304],
  [({ etag }) => ({ 'If-Match': OTHER, 'If-None-Match': etag, 'If-Range': etag }), 412, 412],
  [({ etag }) => ({ 'If-None-Match': etag, 'If-Range': OTHER }), 304, 304],
  [({ etag }) => ({ 'If-Range': etag }), 200, 206],
  [({ modified = '' }) => ({ 'If-Range': modified }), 200, 206],
  [() => ({ 'If-Range': EARLIER }), 200, 200],
  [({ etag }) => ({ 'If-Range': `W/${etag}` }), 200, 200],
];

/** Rejected requests, and their status: never 304, with any validators. */
const REFUSED: [path: string, status: number][] = [
  ['/en/api/persons?page=99', 404],
  ['/en/api/persons?page=0', 404],
  ['/nl/api/search?q=city:leiden&page=99', 404],
  ['/en/api/search?q=nofield:x', 400],
  ['/en/api/persons/aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee', 404],
  [`/en/api/persons/${uuidOf('subject', 1)}`, 404],
  ['/en/api/persons?edition=9', 404],
  ['/en/api/persons?format=xml', 400],
  ['/en/api/nothing', 404],
  ['/problems/none', 404],
];

const CODINGS = ['identity', 'gzip', 'br', 'zstd'];

describe('conditional requests', () => {
  let api: CountedApi;
  let paths: string[];
  /** The validators of every path, in each coding. */
  let everyHeld: { path: string; coding: string; held: Held }[];
  beforeAll(async () => {
    api = await startCountedApi({ engine: 'sqlite', cacheBytes: 2 ** 26 });
    paths = await listEveryPath(api.origin);
    expect(paths.length).toBeGreaterThan(50);
    everyHeld = [];
    for (const [index, path] of paths.entries()) {
      const coding = CODINGS[index % CODINGS.length] ?? '';
      everyHeld.push({ path, coding, held: await hold(path, coding) });
    }
  });

  const hold = async (path: string, coding: string): Promise<Held> => {
    const { status, headers } = await send(api.origin + path, { 'Accept-Encoding': coding }, 'HEAD');
    expect(status, path).toBe(200);
    expect(headers.etag, path).toMatch(/^"[\w-]+"$/);
    return { etag: headers.etag ?? '', modified: headers['last-modified'] };
  };

  test.each(CASES)('%s', async (name, headersOf, holds) => {
    const place = CASES.findIndex(([each]) => each === name);
    for (const [index, { path, coding, held }] of everyHeld.entries()) {
      // Each path meets a third of the cases, and each case a third of the paths.
      if (index % 3 !== place % 3) continue;
      const expected = holds && !(name === 'the date' && held.modified === undefined) ? 304 : 200;
      for (const method of ['GET', 'HEAD']) {
        const headers = { 'Accept-Encoding': coding, ...headersOf(held) };
        const answer = await send(api.origin + path, headers, method);
        expect(answer.status, `${method} ${path} ${JSON.stringify(headers)}`).toBe(expected);
        expect(answer.headers.etag).toBe(held.etag);
        if (expected === 304 || method === 'HEAD') expect(answer.body.length).toBe(0);
      }
    }
  });

  test('preconditions hold in the order of RFC 9110, also with a range', async () => {
    for (const path of ['/en/api/persons', '/nl/', '/en/api/events.geojson', '/en/api/dump/persons.jsonl']) {
      const held = await hold(path, 'identity');
      for (const [headersOf, whole, dump] of PRECONDITIONS) {
        const headers = headersOf(held);
        const said = `${path} ${JSON.stringify(headers)}`;
        const { status } = await send(api.origin + path, { ...headers, Range: 'bytes=0-9' });
        expect(status, said).toBe(path.endsWith('.jsonl') ? dump : whole);
        // From the cache, without a range.
        const again = await send(api.origin + path, headers);
        expect(again.status, said).toBe(whole);
      }
    }
  });

  test('a 304 to a tag runs no statement', async () => {
    // The lists of kept editions and of what is gone are not cached.
    for (const path of paths.filter((each) => !/\/api\/(?:editions|gone)$/.test(each))) {
      const { etag } = await hold(path, 'gzip');
      api.statements.length = 0;
      const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': etag };
      expect((await send(api.origin + path, headers)).status, path).toBe(304);
      expect(api.statements, path).toEqual([]);
    }
  });

  test('a 304 has the headers that update a cache, and none that describe a body', async () => {
    for (const path of paths) {
      const full = await send(api.origin + path);
      const { headers } = await send(api.origin + path, { 'If-None-Match': full.headers.etag ?? '' });
      for (const name of [
        'etag',
        'last-modified',
        'cache-control',
        'vary',
        'access-control-allow-origin',
        'access-control-expose-headers',
        'archive-edition',
        'content-language',
        'x-content-type-options',
      ]) {
        expect(headers[name], `${path} ${name}`).toBe(full.headers[name]);
      }
      for (const name of ['content-type', 'content-length', 'content-encoding', 'content-security-policy']) {
        expect(headers[name], `${path} ${name}`).toBeUndefined();
      }
    }
  });

  test.each(REFUSED)('%s gets %i, with any validators', async (path, status) => {
    const { modified = '' } = await hold('/en/api/persons', 'identity');
    for (const headers of [
      { 'If-None-Match': '*' },
      { 'If-None-Match': OTHER },
      { 'If-Match': OTHER },
      { 'If-Modified-Since': modified },
    ]) {
      const answer = await send(api.origin + path, headers);
      expect(answer.status, JSON.stringify(headers)).toBe(status);
      expect(answer.headers.etag).toBeUndefined();
      expect(answer.headers['last-modified']).toBeUndefined();
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  test('the tag of one coding does not match another coding', async () => {
    const tags = await Promise.all(CODINGS.map((coding) => hold('/en/api/persons', coding)));
    expect(new Set(tags.map(({ etag }) => etag)).size).toBe(CODINGS.length);
    for (const coding of CODINGS) {
      for (const { etag } of tags) {
        const headers = { 'Accept-Encoding': coding, 'If-None-Match': etag };
        const { status } = await send(`${api.origin}/en/api/persons`, headers);
        expect(status).toBe(etag.endsWith(`-${coding}"`) ? 304 : 200);
      }
    }
  });
});

function since(modified: string | undefined, milliseconds: number): Record<string, string> {
  return modified === undefined ? {} : { 'If-Modified-Since': shift(modified, milliseconds) };
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
