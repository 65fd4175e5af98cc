import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { extract } from '@extractus/oembed-extractor';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { settingsFor } from '../support/api-process.ts';
import {
  type ApiServer,
  BASE_URL,
  ITSELF,
  serveDatabase,
  startApi,
  startShared,
} from '../support/api-server.ts';
import { listEveryPath } from '../support/every-path.ts';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { faultsOfHtml } from '../support/html-checks.ts';
import { SAMPLE, SAMPLE_MEDIA } from '../support/sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDatabase } from '../support/test-database.ts';

const PERSON = uuidOf('person', 101);
const EVENT = uuidOf('event', 301);
const NEVER = uuidOf('person', 9_999);
const CARD = `/nl/embed/${PERSON}`;
const FREE = 'frame-ancestors *';

const page = (uuid: string, kind = 'personen', language = 'nl') => `${BASE_URL}/${language}/${kind}/${uuid}/`;

describe('the card of a record', () => {
  let archive: ApiServer;
  beforeAll(async () => {
    archive = await startShared('fixture', 'sqlite');
  });
  const ask = (path: string, accept = 'text/html') =>
    archive.fetch(path, { redirect: 'manual', headers: { accept } });
  const oembed = async (query: Record<string, string>) => {
    const response = await ask(`/oembed?${new URLSearchParams(query)}`, '*/*');
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  test('is all that may be framed', async () => {
    const framed: string[] = [];
    const others = [
      '/oembed',
      `/en/embed/${NEVER}`,
      `/nl/personen/${NEVER}/`,
      '/nowhere',
      '/',
      '/assets/none.js',
    ];
    for (const path of [...(await listEveryPath(archive.origin)), ...others]) {
      for (const accept of ['text/html', 'application/json']) {
        const { headers } = await ask(path, accept);
        const policy = headers.get('content-security-policy') ?? '';
        const isFree = policy.includes(FREE);
        if (isFree) framed.push(path);
        else if (policy) expect(policy, path).toContain("frame-ancestors 'none'");
        if (!path.includes('/embed/')) expect(headers.get('x-frame-options'), path).toBe('DENY');
        if (isFree) expect(headers.has('x-frame-options')).toBe(false);
      }
    }
    expect(new Set(framed)).toEqual(new Set([CARD, `/en/embed/${NEVER}`]));
  });

  test('may be framed from the cache too, and as it was not found', async () => {
    for (const path of [CARD, CARD, `/en/embed/${NEVER}`]) {
      const { headers } = await ask(path);
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none';style-src 'self' ${new URL(BASE_URL).origin};img-src 'self' https: http: data:;base-uri 'none';form-action 'none';${FREE}`,
      );
      expect(headers.get('x-frame-options')).toBe(null);
    }
    const unchanged = await archive.fetch(CARD, { headers: { 'if-none-match': '*' } });
    expect([unchanged.status, unchanged.headers.get('x-frame-options')]).toEqual([304, null]);
    expect(unchanged.headers.get('x-robots-tag')).toBe('noindex');
  });

  test.each(['person', 'subject', 'location', 'event'] as const)(
    'of a %s is valid, small, without scripts, and leads to its record',
    async (kind) => {
      const uuid = uuidOf(kind, { person: 101, subject: 1, location: 201, event: 301 }[kind]);
      for (const language of ['nl', 'en']) {
        const response = await ask(`/${language}/embed/${uuid}`);
        expect([response.status, response.headers.get('x-robots-tag')]).toEqual([200, 'noindex']);
        const html = await response.text();
        expect(await faultsOfHtml(html)).toEqual([]);
        expect(html).not.toMatch(/<script|<form|<iframe| on\w+=/);
        expect(html).toContain(`<a href="${BASE_URL}/id/${uuid}" target="_blank" rel="noopener">`);
        expect(html).toMatch(
          new RegExp(`<link rel="canonical" href="${BASE_URL}/${language}/[a-z]+/${uuid}/"`),
        );
        let bytes = Buffer.byteLength(html);
        for (const [, style = ''] of html.matchAll(/<link rel="stylesheet" href="([^"]+)"/g))
          bytes += (
            await (await archive.fetch(new URL(style, `${archive.origin}/nl/embed/x`).pathname)).bytes()
          ).length;
        expect(bytes).toBeLessThanOrEqual(15_000);
      }
    },
  );

  test('of an edition is that of the edition, and the address of a final slash leads to it', async () => {
    expect((await ask(`${CARD}?edition=1`)).headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect((await ask(`${CARD}?edition=99`)).status).toBe(404);
    const { status, headers } = await ask(`${CARD}/`);
    expect([status, headers.get('location')]).toEqual([308, `../${PERSON}`]);
  });

  test('is found by oEmbed at every address of the record', async () => {
    for (const [address, language] of [
      [page(PERSON), 'nl'],
      [page(PERSON, 'personen', 'en'), 'en'],
      [`${page(PERSON)}?edition=1&x=%26#life`, 'nl'],
      [page(PERSON.toUpperCase()), 'nl'],
      [`${BASE_URL}/id/${PERSON}`, 'en'],
      [page(PERSON).replace('https', 'http').replace(/\/$/, ''), 'nl'],
      [`${BASE_URL}/nl/embed/${PERSON}`, 'nl'],
    ] as const) {
      const { status, headers, body } = await oembed({ url: address });
      expect([status, headers.get('content-type')], address).toEqual([200, 'application/json']);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(body).toMatchObject({ version: '1.0', type: 'rich', width: 480, height: 320 });
      expect(body.provider_url).toBe(`${BASE_URL}/${language}/`);
      expect(body.cache_age).toBeLessThanOrEqual(3_600);
      expect(
        await faultsOfHtml(
          `<!DOCTYPE html><html lang="en"><head><title>x</title></head><body>${body.html}</body></html>`,
        ),
      ).toEqual([]);
      expect(body.html).toContain(`src="${BASE_URL}/${language}/embed/${PERSON}" title="`);
      expect(body.html).toContain(
        'width="480" height="320" loading="lazy" referrerpolicy="no-referrer" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>',
      );
    }
  });

  test('is as small as oEmbed asks', async () => {
    const { body } = await oembed({ url: page(PERSON), maxwidth: '200', maxheight: '90', format: 'json' });
    expect(body).toMatchObject({ width: 200, height: 90 });
    expect(body.html).toContain('width="200" height="90"');
    expect((await oembed({ url: page(PERSON), maxwidth: '9999' })).body.width).toBe(480);
  });

  test.each([
    [{}, 400, 'Missing parameter "url".'],
    [{ url: '' }, 400, 'Missing parameter "url".'],
    [{ url: page(PERSON), maxwidth: '0' }, 400, 'Invalid maxwidth "0".'],
    [{ url: page(PERSON), maxheight: 'tall' }, 400, 'Invalid maxheight "tall".'],
    [{ url: page(PERSON), format: 'xml' }, 501, 'The format xml is not offered.'],
    [{ url: 'tulip' }, 404, 'No record of this archive at tulip.'],
    [{ url: `${BASE_URL}/nl/` }, 404, `No record of this archive at ${BASE_URL}/nl/.`],
    [{ url: page(PERSON).replace('archive.test', 'other.test') }, 404, /^No record of this archive/],
    [{ url: page(PERSON).replace('/base/', '/bases/') }, 404, /^No record of this archive/],
    [{ url: page(PERSON).replace('https:', 'ftp:') }, 404, /^No record of this archive/],
    [{ url: page(EVENT) }, 404, `No person with UUID ${EVENT}.`],
    [{ url: page(NEVER) }, 404, `No person with UUID ${NEVER}.`],
  ] as const)('oEmbed of %j is %i: %s', async (query, status, detail) => {
    const { status: came, headers, body } = await oembed(query);
    expect([came, body.status, headers.get('access-control-allow-origin')]).toEqual([status, status, '*']);
    expect(body.detail).toEqual(typeof detail === 'string' ? detail : expect.stringMatching(detail));
  });

  test('the page of a record names its oEmbed, and has its HTML to copy', async () => {
    const html = await (await ask(`/nl/personen/${PERSON}/`)).text();
    const [, href] = /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/.exec(html) ?? [];
    expect(href).toBe(`${BASE_URL}/oembed?url=${encodeURIComponent(page(PERSON))}`);
    const { body } = await oembed({ url: page(PERSON) });
    expect(html).toContain(
      `<pre>${body.html.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}</pre>`,
    );
    expect(html).toContain(`<summary>Delen</summary><p>${BASE_URL}/id/${PERSON}</p>`);
  });

  test('with PAGES=off there is none', async () => {
    const off = await startShared('fixture', 'sqlite', { PAGES: 'off' });
    for (const path of [CARD, `/oembed?url=${page(PERSON)}`, '/oembed', '/assets/archive-widget.js'])
      expect((await off.fetch(path)).status, path).toBe(404);
  });
});

test('a consumer of oEmbed finds the card by the page, with a picture that fits', async () => {
  const database = await createTestDatabase('sqlite');
  const settings = { MEDIA_DIR: SAMPLE_MEDIA };
  expect(await runApiHere(['publish', SAMPLE], settingsFor(database, settings))).toMatchObject({ code: 0 });
  const archive = await serveDatabase(database, { ...settings, BASE_URL: ITSELF });
  const found = await (
    await archive.fetch('/nl/api/search?q=kind:person last_name:Huygens has:image')
  ).json();
  const { url, title } = found.results[0].instance;
  const seen = await extract(url, { maxwidth: 460, maxheight: 600 });
  expect(seen).toMatchObject({ method: 'auto-discovery', type: 'rich', title, width: 460, height: 320 });
  expect(seen).toMatchObject({ thumbnail_url: expect.stringContaining('/media/'), thumbnail_width: 448 });
  const without = await extract(url, { maxwidth: 447 });
  expect(without).not.toHaveProperty('thumbnail_url');
  await expect(extract(`${archive.origin}/nl/`)).rejects.toThrow('No oEmbed link found');
});

test('a card has the notes of the archive, and its record what the archive calls hostile', async () => {
  const uuid = uuidOf('person', 1);
  const bundle = await writeBundle(await temporaryFolder(), {
    person: [{ id: 1, uuid, last_name: '<script>x</script>', title_nl: '"><img src=x onerror=x>' }],
  });
  const note = { nl: '</p><script>', en: '</p><script>' };
  await writeFile(join(bundle, 'archive.json'), JSON.stringify({ title: note, note }));
  const archive = await startApi({ engine: 'sqlite', bundle });
  const html = await (await archive.fetch(`/nl/embed/${uuid}`)).text();
  expect(html).toContain(
    '<p class="content-note" role="note"><strong>Vooraf:</strong> &lt;/p>&lt;script></p>',
  );
  expect(html).not.toMatch(/<script|<img/);
  const { html: frame } = await (await archive.fetch(`/oembed?url=${BASE_URL}/id/${uuid}`)).json();
  expect(frame).toMatch(/^<iframe [^<]*><\/iframe>$/);
});
