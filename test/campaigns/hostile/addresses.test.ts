import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../../support/api-here.ts';
import { settingsFor } from '../../support/api-process.ts';
import type { ApiServer } from '../../support/api-server.ts';
import { ADDRESS, PAGES, RECORD_PAGES, serveOdd, WORD, writeOddBundle } from '../../support/odd-edition.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';

/** Invalid addresses, and those that `URL` would turn into a header. */
const HOSTILE = [
  'http:foo.jpg',
  'http://host:port/x.jpg',
  'https://a;script-src-elem/x.jpg',
  'https://a;sandbox/x.jpg',
  'https://a;report-uri/x.jpg',
  'https://*',
  'https://*/x.jpg',
  "https://'unsafe-inline'/x.jpg",
  'https://a,default-src/x.jpg',
  ';sandbox',
  ';report-uri https://evil.test',
];

/** The policy of pages of an archive at `baseUrl`. */
function policyOf(baseUrl: string): string {
  return (
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self' https: http: data:;font-src 'self';" +
    `connect-src 'self' ${new URL(baseUrl).origin};base-uri 'none';form-action 'self';frame-ancestors 'none'`
  );
}

describe('invalid addresses and characters', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
  });
  afterAll(() => database?.drop());

  const publish = async (bundle: string) => runApiHere(['publish', bundle], settingsFor(database));

  test.each(HOSTILE)('%s is reported with file, line and field, in every field', async (address) => {
    const { code, stderr } = await publish(await writeOddBundle([[ADDRESS, address]]));
    expect(code).toBe(1);
    const places = [
      'archive.json: logo: expected an http or https URL',
      'subjects.jsonl:1: image.url: expected an absolute http or https URL',
      'subjects.jsonl:1: same_as[0]: expected an absolute http or https URL',
      'persons.jsonl:1: image.url: expected an absolute http or https URL',
      'persons.jsonl:1: files[0].url: expected an absolute http or https URL',
      'locations.jsonl:1: main_image.url: expected an absolute http or https URL',
      'events.jsonl:1: main_image.url: expected an absolute http or https URL',
    ];
    for (const place of places) expect(stderr).toContain(place);
    const asPath = await publish(await writeOddBundle([[`"url":"${ADDRESS}"`, `"path":"${address}"`]]));
    expect(asPath.code).toBe(1);
    expect(asPath.stderr).toContain('persons.jsonl:1: image.path: expected an absolute http or https URL');
  });

  test.each([['\\ud800'], ['\\udfff'], ['\\u0000'], ['\\u001b']])(
    '%s is reported with file, line and field, in every field',
    async (odd) => {
      const { code, stderr } = await publish(await writeOddBundle([[WORD, `Odd${odd}ity`]]));
      expect(code).toBe(1);
      for (const place of [
        'archive.json: title.nl',
        'archive.json: description.en',
        'persons.jsonl:1: last_name',
        'persons.jsonl:1: content_nl',
        'subjects.jsonl:1: description_nl',
        'locations.jsonl:1: city',
        'events.jsonl:1: name_nl',
      ]) {
        expect(stderr).toContain(`${place}: contains `);
      }
      const path = `"path":"a${odd}.jpg"`;
      const asPath = await publish(await writeOddBundle([[`"url":"${ADDRESS}"`, path]]));
      expect(asPath.stderr).toContain('persons.jsonl:1: image.path: contains ');
    },
  );
});

describe('older editions that contain them', () => {
  let database: TestDatabase;
  let server: ApiServer | undefined;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite');
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });
  afterAll(() => database?.drop());

  test.each(HOSTILE)('%s breaks no page, and is in no header', async (address) => {
    server = await serveOdd(database, [[ADDRESS, JSON.stringify(address).slice(1, -1)]]);
    for (const path of [...PAGES, ...RECORD_PAGES, '/problems/not-found']) {
      const accept = path.endsWith('feed.atom') ? '*/*' : 'text/html';
      const { status, headers } = await server.fetch(path, { headers: { accept } });
      expect(status, path).toBe(path.endsWith('nowhere') ? 404 : 200);
      const policy = headers.get('content-security-policy');
      if (headers.get('content-type')?.startsWith('text/html'))
        expect(policy, path).toBe(policyOf(server.baseUrl));
      else expect(policy, path).toBe("default-src 'none';frame-ancestors 'none'");
    }
  });
});
