import { readFileSync } from 'node:fs';
import { LANGUAGES } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { ITSELF, serveDatabase, startShared, type TestArchive } from '../support/api-server.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { send } from '../support/send.ts';
import { createTestDatabase } from '../support/test-database.ts';

const ROOT = new URL('../../', import.meta.url);
const DOCUMENT = ['docs/api.md', 'docs/reference/problems.md']
  .map((page) => readFileSync(new URL(page, ROOT), 'utf8').replace(/^```.*?^```/gms, ''))
  .join('\n');

/** The sentences and rows of the document that name an address, a status or a header. */
const SENTENCES = DOCUMENT.split(/\n(?=\||\n|- |\d\. |#)/)
  .map((part) => part.replace(/\s+/g, ' ').trim())
  .flatMap((part) => (part.startsWith('|') ? [part] : part.split(/(?<=[.:;])\s+(?=[`A-Z])/)))
  .filter((sentence) =>
    /`\/|(?<![\d,])(?:20\d|30\d|4\d\d|50[03])(?![\d,]| records)|`(?:[A-Z]\w+(?:-\w+)+|ETag|Link|Vary|Range|Allow|Host)\b/.test(
      sentence,
    ),
  );

/** What stands for the placeholders of an address; kinds have their own uuid. */
const UUIDS = {
  person: uuidOf('person', 101),
  subject: uuidOf('subject', 1),
  location: uuidOf('location', 201),
  event: uuidOf('event', 301),
};
const KIND_OF = [
  [/subjects|onderwerpen/, 'subject'],
  [/locations|locaties/, 'location'],
  [/events|gebeurtenissen/, 'event'],
  [/./, 'person'],
] as const;
/** Addresses that are no resources, or need a setting, and those with parameters that must be there. */
const NO_RESOURCES = [
  '/api',
  '/media/',
  '/problems/',
  '/media/{path}',
  '/{lang}/api/changes?since=3',
  '/{lang}/api/changes.jsonl?since=3',
];
const NEEDED: Readonly<Record<string, string>> = {
  changes: '?since=1',
  'changes.jsonl': '?since=1',
  oai: '?verb=Identify',
};

const E = '/en/api';
const P = `${E}/persons`;
const DUMP = `${E}/dump/persons.jsonl`;
const JSON_FIRST = { Accept: 'application/json' };
type Expected = {
  headers?: Record<string, string>;
  method?: string;
  has?: Record<string, RegExp | undefined>;
  body?: RegExp;
};

/** A part of a sentence, a request that tries it, and the response. */
const REQUESTS: readonly (readonly [says: string, path: string, status: number, more?: Expected])[] = [
  [
    'redirects to the front page',
    '/',
    302,
    { headers: { 'Accept-Language': 'nl' }, has: { location: /\/nl\/$/ } },
  ],
  ['303 to its page', `/id/${UUIDS.person}`, 303, { has: { location: /\/en\/personen\// } }],
  [
    'is led to that form by 303',
    `/id/${UUIDS.person}`,
    303,
    { headers: { Accept: 'text/turtle' }, has: { location: /\.ttl$/ } },
  ],
  [
    '`Vary` names the headers that decide',
    `/id/${UUIDS.person}`,
    303,
    { has: { vary: /Accept.*Accept-Language/ } },
  ],
  ['A uuid that never was is 404', `${P}/${uuidOf('person', 9999)}`, 404],
  [
    'An unknown address outside',
    '/en/nothing',
    404,
    { headers: { Accept: 'text/html' }, has: { 'content-type': /html/ } },
  ],
  [
    'neither search nor the API',
    '/robots.txt',
    200,
    { body: /^Disallow: \/en\/zoeken\/\n(?:.*\n)*Disallow: \/en\/api$/m },
  ],
  ['A field that no record of the kind has gets 400', `${P}?fields=colour`, 400, { body: /"fields":\[/ }],
  [
    'others get 400 with the valid fields',
    `${E}/suggest?field=content&prefix=a`,
    400,
    { body: /"fields":\[/ },
  ],
  ['`Range` gets 206', DUMP, 206, { headers: { Range: 'bytes=5-' }, has: { 'content-range': /^bytes 5-/ } }],
  [
    'Ranges are of the uncompressed bytes',
    DUMP,
    206,
    { headers: { Range: 'bytes=5-', 'Accept-Encoding': 'gzip' }, has: { 'content-encoding': undefined } },
  ],
  [
    '`Range` counts uncompressed bytes',
    DUMP,
    206,
    { headers: { Range: 'bytes=5-9', 'Accept-Encoding': 'gzip' }, has: { 'content-length': /^5$/ } },
  ],
  ['has a strong `ETag`', P, 200, { has: { etag: /^"[^"]+"$/ } }],
  ['| `ETag` |', P, 200, { has: { etag: /^"[^"]+"$/ } }],
  ['| `Last-Modified` |', P, 200, { has: { 'last-modified': /GMT$/ } }],
  [
    '| `Cache-Control` |',
    P,
    200,
    { has: { 'cache-control': /^public, max-age=60, stale-while-revalidate=600$/ } },
  ],
  ['| `Vary` |', P, 200, { has: { vary: /^Accept, Accept-Encoding$/ } }],
  ['of assets and media files', '/favicon.ico', 200, { has: { vary: /Accept-Encoding/ } }],
  ['| `Archive-Edition` |', `${P}?page=99`, 404, { has: { 'archive-edition': /^1$/ } }],
  ['| `Content-Language` |', '/nl/api/persons', 200, { has: { 'content-language': /^nl$/ } }],
  [
    '| `X-Request-Id` |',
    P,
    200,
    { headers: { 'X-Request-Id': 'mine-1' }, has: { 'x-request-id': /^mine-1$/ } },
  ],
  ['in the order of RFC 9110', P, 412, { headers: { 'If-Match': '"x"', 'If-None-Match': '*' } }],
  ['gets 412 if it fails', P, 412, { headers: { 'If-Match': '"x"' } }],
  ['counts only if it equals', P, 200, { headers: { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' } }],
  [
    'Responses are compressed by',
    P,
    200,
    { headers: { 'Accept-Encoding': 'br;q=0.5, gzip' }, has: { 'content-encoding': /^gzip$/ } },
  ],
  ['Lists have a `Link` header', `${P}?page=2`, 200, { has: { link: /"first".*"prev".*"next".*"last"/ } }],
  ['All links begin with', P, 200, { headers: { Host: 'elsewhere.test' }, body: /"next":"http:\/\/127/ }],
  ['name the edition of', `${P}?edition=1`, 200, { body: /edition=1&page=2/ }],
  [
    'Pages of any origin',
    P,
    200,
    { has: { 'access-control-expose-headers': /ETag, Link, Last-Modified, Archive-Edition, X-Request-Id/ } },
  ],
  ['`bad-request`', `${E}/search?q=%ff`, 400, { body: /problems\/bad-request/ }],
  ['`invalid-bbox`', `${E}/locations.geojson?bbox=1`, 400, { body: /invalid-bbox/ }],
  ['`invalid-edition`', `${P}?edition=x`, 400, { body: /invalid-edition/ }],
  ['`invalid-facet`', `${E}/facets?of=x`, 400, { body: /invalid-facet.*"facets":\[/s }],
  ['`invalid-fields`', `${P}?fields=x`, 400, { body: /invalid-fields/ }],
  ['`invalid-format`', `${P}?format=xml`, 400, { body: /invalid-format/ }],
  ['`invalid-form`', '/en/reconcile', 400, { method: 'POST', body: /invalid-form/ }],
  ['`invalid-queries`', '/en/reconcile?queries=x', 400, { body: /invalid-queries/ }],
  ['`invalid-query`', `${E}/search?q=city=Leiden`, 400, { body: /invalid-query.*"corrections":\["/s }],
  ['`invalid-sort`', `${E}/search?q=a&sort=x`, 400, { body: /invalid-sort.*"orders":\[/s }],
  ['`invalid-suggestion`', `${E}/suggest?field=x`, 400, { body: /invalid-suggestion/ }],
  ['`invalid-page`', `${P}?page=0`, 404, { body: /invalid-page/ }],
  ['`no-such-edition`', `${P}?edition=99`, 404, { body: /no-such-edition/ }],
  ['`not-found`', `${E}/nothing`, 404, { body: /not-found/ }],
  ['`method-not-allowed`', P, 405, { method: 'DELETE', has: { allow: /GET/ } }],
  ['`precondition-failed`', P, 412, { headers: { 'If-Match': '"x"' }, body: /precondition-failed/ }],
  ['`invalid-range`', DUMP, 416, { headers: { Range: 'bytes=999999999-' } }],
];

const OUTAGES = 'test/campaigns/outages';
/** A part of a sentence, and the test that tries it, because it needs a state of its own. */
const ELSEWHERE: readonly (readonly [says: string, file: string, name: string])[] = [
  ['is 410 with the problem', 'test/editions/gone.test.ts', 'is gone at all its addresses'],
  ['It is 200 again', 'test/editions/gone.test.ts', 'until it returns'],
  ['lead to that one by 301', 'test/editions/gone.test.ts', 'leads people'],
  ['its 410 names it in', 'test/editions/gone.test.ts', 'names for programs'],
  ['`record-gone` |', 'test/editions/gone.test.ts', 'is gone at all its addresses'],
  ['as harvesters expect', `${OUTAGES}/missing-index.test.ts`, 'serves lists, records and dumps at once'],
  ['At most 100,000 records', 'test/bulk/found.test.ts', 'too many records for a file are rejected'],
  ['`too-many-hits` |', 'test/bulk/found.test.ts', 'too many records for a file are rejected'],
  ['the file gets 500', 'test/bulk/unwritable.test.ts', 'is a problem response if nothing has been sent'],
  ['`unwritable-record` |', 'test/bulk/unwritable.test.ts', 'is a problem response if nothing has been sent'],
  ['ends before its', 'test/bulk/unwritable.test.ts', 'cuts a dump half-way'],
  ['not kept any more gets 410', 'test/bulk/changes.test.ts', 'an edition that is no longer kept is gone'],
  [
    'after that, the response is 410',
    'test/campaigns/switches/over-http.test.ts',
    'an edition that is no longer kept is gone',
  ],
  [
    '`edition-gone` |',
    'test/campaigns/switches/over-http.test.ts',
    'an edition that is no longer kept is gone',
  ],
  [
    'gets 304 without a database',
    'test/http/conditional.test.ts',
    'preconditions hold in the order of RFC 9110',
  ],
  ['`X-Robots-Tag`', 'test/http/held-edition.test.ts', 'is served by its key, with no-store'],
  [
    '`internal-error` |',
    'test/campaigns/switches/swept.test.ts',
    'a damaged edition that is served is an internal error',
  ],
  ['`database-unavailable` |', `${OUTAGES}/deadlines.test.ts`, 'while the database hangs: 503 in time'],
  ['`file-unavailable` |', 'test/http/media.test.ts', 'an unreadable file is 503'],
  ['`overloaded` |', `${OUTAGES}/overload.test.ts`, 'gets 503 with Retry-After'],
  ['`starting` |', `${OUTAGES}/admin.test.ts`, 'starting'],
  ['`not-current` |', 'test/database/max-stale.test.ts', 'a server without its database responds 503'],
  ['`search-timeout` |', 'apps/api/src/search/thread/open-index.test.ts', 'SearchTimeout'],
  ['`search-busy` |', 'apps/api/src/search/thread/open-index.test.ts', 'SearchBusy'],
  ['`search-unavailable` |', `${OUTAGES}/missing-index.test.ts`, 'serves lists, records and dumps at once'],
  ['`nothing-published` |', 'test/docs/api-sentences.test.ts', 'a server without an edition'],
];

describe('docs/api.md', () => {
  let archive: TestArchive;
  beforeAll(async () => {
    archive = await startShared('fixture', 'sqlite', { BASE_URL: ITSELF });
  });

  test('every sentence about an address, a status or a header is tried', () => {
    const says = [...REQUESTS, ...ELSEWHERE].map(([part]) => part);
    const isTried = (sentence: string) => says.some((part) => sentence.includes(part));
    const onlyAddresses = (sentence: string) =>
      /`\//.test(sentence) && !/\b[345]\d\d\b|`[A-Z]\w+-\w+`/.test(sentence);
    expect(SENTENCES.length).toBeGreaterThan(100);
    expect(SENTENCES.filter((sentence) => !isTried(sentence) && !onlyAddresses(sentence))).toEqual([]);
    expect(says.filter((part) => !DOCUMENT.replace(/\s+/g, ' ').includes(part))).toEqual([]);
    const text = (file: string) => readFileSync(new URL(file, ROOT), 'utf8');
    expect(ELSEWHERE.filter(([, file, name]) => !text(file).includes(name))).toEqual([]);
  });

  test('every address leads to a response, in both languages', async () => {
    const assets = await send(`${archive.origin}/en/`);
    const [asset = ''] = /(?<=\/assets\/)[\w.-]+/.exec(assets.body.toString()) ?? [];
    const templates = [...DOCUMENT.matchAll(/`(\/[^`\s]*)`/g)].map(([, path = '']) => path);
    expect(templates.length).toBeGreaterThan(60);
    for (const template of new Set(templates.filter((each) => !NO_RESOURCES.includes(each)))) {
      const kind = KIND_OF.find(([pattern]) => pattern.test(template))?.[1] ?? 'person';
      const values: Record<string, string> = {
        uuid: UUIDS[kind],
        name: template.startsWith('/sitemap') ? 'pages.xml' : 'not-found',
        asset,
      };
      for (const lang of LANGUAGES) {
        const filled = template.replace(/\{(\w+)\}/g, (_, name: string) =>
          name === 'lang' ? lang : (values[name] ?? ''),
        );
        const path = filled + (NEEDED[filled.split('/').at(-1) ?? ''] ?? '');
        const { status } = await send(archive.origin + path, JSON_FIRST);
        expect([200, 301, 302, 303, 307, 308], `${path}: ${status}`).toContain(status);
      }
    }
  });

  test.for(REQUESTS)('%s: %s is %i', async ([, path, status, more = {}]) => {
    const { headers, method, has = {}, body = /(?:)/ } = more;
    const answer = await send(archive.origin + path, headers, method);
    expect(answer.status).toBe(status);
    for (const [name, value = /^undefined$/] of Object.entries(has))
      expect(String(answer.headers[name])).toMatch(value);
    expect(answer.body.toString()).toMatch(body);
  });

  test('after ranges too, the log has lines of JSON only', async () => {
    for (const path of [DUMP, DUMP.replace('jsonl', 'csv'), `${E}/events.geojson`])
      await send(archive.origin + path, { Range: 'bytes=0-9' });
    const lines = archive.process.stderr().split('\n');
    expect(lines.filter((line) => line !== '' && !line.startsWith('{'))).toEqual([]);
  });

  test('a server without an edition responds 503 nothing-published', async () => {
    const { origin } = await serveDatabase(await createTestDatabase('sqlite'), {}, { until: '/live' });
    const { status, body } = await send(`${origin}${P}`);
    expect({ status, body: body.toString() }).toEqual({
      status: 503,
      body: expect.stringContaining('nothing-published'),
    });
  });
});
