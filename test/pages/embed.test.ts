/// <reference lib="dom" />
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { writeBundle } from '../support/fixture/fixture-bundle.ts';
import { uuidOf } from '../support/fixture/names.ts';
import { freePort } from '../support/free-port.ts';
import { faultsOfHtml } from '../support/html-checks.ts';
import { endAtLast } from '../support/leftovers.ts';
import { barriersOf } from '../support/page-checks.ts';
import { describeSite } from '../support/site-archive.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const GUIDE = new URL('../../docs/embed.md', import.meta.url);

/** The address of the archive in the guide. */
const OF_GUIDE = 'http://localhost:3000';

/** An example of the guide, for an archive at another address. */
async function exampleOf(name: string, origin: string): Promise<string> {
  const guide = await readFile(GUIDE, 'utf8');
  const [, html = ''] = new RegExp(`<!-- example: ${name} -->\n\`\`\`html\n([^]*?)\`\`\``).exec(guide) ?? [];
  expect(html).toContain(OF_GUIDE);
  return html.replaceAll(OF_GUIDE, origin);
}

/** Serves a page of another site, whose policy allows it files of its own and of an archive. @returns its address */
async function serveHost(content: string, archive: string): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url !== '/') return response.writeHead(204).end();
    return response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `default-src 'self' ${archive}`,
      })
      .end(
        `<!DOCTYPE html><html lang="en"><head><title>Host</title></head><body><main><h1>Host</h1>${content}</main></body></html>`,
      );
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  endAtLast(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}/`;
}

/** The faults in what an element of a page draws, as HTML and to those who use a keyboard or a reader of the screen. */
async function faultsOf(page: Page, name: string): Promise<string[]> {
  const html = await page.locator(name).evaluate((one) => one.shadowRoot?.innerHTML ?? '');
  const whole = `<!DOCTYPE html><html lang="en"><head><title>x</title></head><body>${html}</body></html>`;
  // No element of HTML is a list of suggestions below a field.
  const faults = (await faultsOfHtml(whole)).filter((fault) => !fault.startsWith('prefer-native-element'));
  return [...faults, ...(await barriersOf(page))];
}

describeSite('an archive on a page of another origin', 'sample', ({ archive, open }) => {
  const host = async (name: string) => {
    const { origin } = archive();
    return serveHost(await exampleOf(name, origin), origin);
  };

  test('its card is in a frame, and its link opens outside it', async () => {
    await open(await host('card'), async (page) => {
      // Nothing runs in the frame, also nothing of this test: it is looked at from outside.
      await expect.poll(() => page.frames().at(-1)?.url()).toContain('/en/embed/');
      const { x = 0, y = 0 } = (await page.locator('iframe').boundingBox()) ?? {};
      const opened = page.context().waitForEvent('page');
      await page.mouse.click(x + 40, y + 50);
      const record = await opened;
      await record.waitForURL(/personen/);
      expect(await record.locator('h1').textContent()).toBe('Isaac Beeckman');
      await record.close();
    });
  });

  test.each(['light', 'dark'] as const)('its card fits narrow frames, %s', async (colorScheme) => {
    const path = '/en/embed/7a776fad-85cf-5ae0-93da-f4e8d4ecbabd';
    const look = async (page: Page) => {
      for (const width of [480, 320, 200, 150]) {
        await page.setViewportSize({ width, height: 320 });
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(excess, `${width} px`).toBeLessThanOrEqual(0);
        expect(await barriersOf(page)).toEqual([]);
      }
    };
    await open(path, look, { colorScheme });
  });

  test('archive-search searches, suggests by keyboard, and leads to the archive', async () => {
    await open(await host('search'), async (page) => {
      const element = page.locator('archive-search');
      const status = element.getByRole('status');
      await expect.poll(() => status.textContent()).toMatch(/^\d+ results$/);
      expect(await element.locator('ol > li').count()).toBe(10);
      const all = element.getByRole('link', { name: 'All results' });
      expect(await all.getAttribute('href')).toBe(`${archive().origin}/en/zoeken/?q=huygens`);
      expect(await faultsOf(page, 'archive-search')).toEqual([]);

      const field = element.getByRole('combobox', { name: 'Search the archive' });
      await field.fill('');
      await field.pressSequentially('beeck');
      await expect.poll(() => field.getAttribute('aria-expanded')).toBe('true');
      await field.press('ArrowDown');
      const chosen = element.getByRole('option', { selected: true });
      expect(await chosen.getAttribute('id')).toBe(await field.getAttribute('aria-activedescendant'));
      expect(await faultsOf(page, 'archive-search')).toEqual([]);
      await field.press('Escape');
      expect(await field.getAttribute('aria-expanded')).toBe('false');

      await field.fill('isaac beeckman');
      await field.press('Enter');
      await expect.poll(() => element.locator('ol > li a').first().textContent()).toBe('Isaac Beeckman');
      expect(await element.getByRole('listbox').isVisible()).toBe(false);
      await field.fill('kind:person last_name:nowhere');
      await field.press('Enter');
      await expect.poll(() => status.textContent()).toBe('0 results');
      await field.fill('');
      await field.pressSequentially('isaac beeckman');
      await expect.poll(() => element.getByRole('option').count()).toBeGreaterThan(0);
      await field.press('ArrowDown');
      await field.press('Enter');
      await page.waitForURL(`${archive().origin}/en/personen/**`);
    });
  });

  test.each([
    ['a query is wrong', 'query="nofield:x"', 'The archive cannot read this query. Try other words.'],
    ['nobody answers', 'base="http://127.0.0.1:1" query="x"', 'The archive cannot be reached.'],
  ])('archive-search says that %s', async (_, attributes, words) => {
    const { origin } = archive();
    const script = `<script type="module" src="${origin}/assets/archive-widget.js"></script>`;
    const address = await serveHost(`${script}<archive-search ${attributes}></archive-search>`, origin);
    const said: string[] = [];
    const seen = open(address, async (page) => {
      const status = page.locator('archive-search').getByRole('status');
      await expect.poll(() => status.textContent(), { timeout: 10_000 }).toBe(words);
      said.push(words);
    });
    // The browser logs every request that fails.
    await expect(seen).rejects.toThrow(/Failed to load resource|violates|ERR_/);
    expect(said).toEqual([words]);
  });

  test('archive-record shows a record, and another when its attribute changes', async () => {
    await open(await host('record'), async (page) => {
      const element = page.locator('archive-record');
      await expect.poll(() => element.locator('.name').textContent()).toBe('Isaac Beeckman');
      expect(await element.locator('p').nth(1).textContent()).toMatch(/^Persoon · 1588–1637/);
      expect(await faultsOf(page, 'archive-record')).toEqual([]);
      const show = (uuid: string) => element.evaluate((one, value) => one.setAttribute('uuid', value), uuid);
      await show('7a776fad-85cf-5ae0-93da-f4e8d4ecbabd');
      await expect.poll(() => element.locator('.name').textContent()).toBe('Christiaan Huygens');
      const image = element.getByRole('img');
      await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(448);
      expect(await element.locator('figcaption').textContent()).toContain('CC0 1.0');
      expect(await faultsOf(page, 'archive-record')).toEqual([]);
      await show(uuidOf('person', 1));
      await expect.poll(() => element.textContent()).toBe('');
      await expect.poll(() => element.locator('p').textContent()).toBe('Het archief heeft dit record niet.');
      await element.evaluate((one) => one.style.setProperty('--archive-accent', 'rgb(1, 2, 3)'));
      await show('7a776fad-85cf-5ae0-93da-f4e8d4ecbabd');
      const link = element.locator('a');
      await expect.poll(() => link.evaluate((one) => getComputedStyle(one).color)).toBe('rgb(1, 2, 3)');
      expect(await page.context().cookies()).toEqual([]);
    });
  });

  test('the scripts keep their names, are cached for a short time, and are as small as the guide says', async () => {
    const guide = await readFile(GUIDE, 'utf8');
    const sizes: number[] = [];
    for (const name of ['archive-widget.js', 'archive-client.js']) {
      const response = await archive().fetch(`/assets/${name}`);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=60, stale-while-revalidate=600',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        etag: expect.any(String),
      });
      const body = await response.bytes();
      sizes.push(body.length, gzipSync(body).length);
    }
    const [widget = 0, packedWidget = 0, client = 0, packedClient = 0] = sizes;
    expect(widget).toBeLessThanOrEqual(10_000);
    const kilobytes = (bytes: number, digits = 0) => `${(bytes / 1_000).toFixed(digits)} kB`;
    const sentence = `${kilobytes(widget, 1)}, ${kilobytes(packedWidget, 1)} compressed, and loads [the client](client.md) beside it, ${kilobytes(client)}, ${kilobytes(packedClient)} compressed`;
    expect(/The script is (.*? compressed, .*? compressed)/.exec(guide)?.[1]).toBe(sentence);
    expect((await archive().fetch('/assets/archive-other.js')).status).toBe(404);
  });
});

const RUN = '"><img src=x onerror="document.title=1"><script>document.title=1</script>';
const PERSON = uuidOf('person', 1);
const PICTURE = {
  ...{ id: 1, uuid: uuidOf('file', 1), name: RUN, title: RUN, filetype: 'image', alt: RUN },
  ...{ url: 'https://example.org/p.jpg', author: RUN, copyright: RUN, description: RUN },
};

async function writeHostile(): Promise<string> {
  const names = { title_nl: RUN, title_en: RUN, first_name: RUN, last_name: RUN };
  const places = { birth_place: RUN, birth_country: RUN, death_place: RUN, death_country: RUN };
  const texts = { summary_nl: RUN, summary_en: RUN, content_nl: `<p>${RUN}</p>` };
  const bundle = await writeBundle(await temporaryFolder(), {
    person: [
      { id: 1, uuid: PERSON, ...names, ...places, ...texts, image: PICTURE, birth_date: '1588-12-10' },
    ],
  });
  const words = { title: { nl: RUN, en: RUN }, note: { nl: RUN, en: RUN } };
  await writeFile(join(bundle, 'archive.json'), JSON.stringify(words));
  return bundle;
}

describeSite('a record that would run something', writeHostile, ({ archive, open }) => {
  test('runs nothing in a card, in an element, and in the page around them', async () => {
    const { origin } = archive();
    const content = `<iframe title="Card" src="${origin}/en/embed/${PERSON}"></iframe>
      <script type="module" src="${origin}/assets/archive-widget.js"></script>
      <archive-record uuid="${PERSON}"></archive-record><archive-search query="img"></archive-search>`;
    await open(await serveHost(content, origin), async (page) => {
      const record = page.locator('archive-record');
      await expect.poll(() => record.locator('.name').textContent()).toBe(RUN);
      expect(await record.getByRole('note').textContent()).toBe(`Content note: ${RUN}`);
      expect(await faultsOf(page, 'archive-record')).toEqual([]);
      await expect.poll(() => page.locator('archive-search ol a').textContent()).toBe(RUN);
      const frame = page.frameLocator('iframe');
      await expect.poll(() => frame.locator('h1').textContent()).toBe(RUN);
      expect(await frame.locator('script, h1 img, p img').count()).toBe(0);
      expect(await page.locator('archive-record img, archive-search img').count()).toBe(0);
      const typed = page.locator('archive-search input');
      await typed.fill('');
      await typed.pressSequentially('img');
      await expect.poll(() => page.locator('archive-search [role=option]').count()).toBe(1);
      expect(await page.locator('archive-search [role=option] img').count()).toBe(0);
      expect(await page.title()).toBe('Host');
    });
  });
});
