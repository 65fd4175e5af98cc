/// <reference lib="dom" />

import { cp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { runApiHere } from '../../support/api-here.ts';
import { settingsFor } from '../../support/api-process.ts';
import { faultsOfHtml } from '../../support/html-checks.ts';
import { barriersOf } from '../../support/page-checks.ts';
import { SAMPLE } from '../../support/sample.ts';
import { BEECKMAN, describeSite } from '../../support/site-archive.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const COLOURS = { light: '#00539b', dark: '#9cc7ef' };

/** The sample, published with the logo and colours of an institution. */
async function writeHouse(): Promise<string> {
  const folder = await temporaryFolder();
  await cp(SAMPLE, folder, { recursive: true });
  const archive = JSON.parse(await readFile(join(SAMPLE, 'archive.json'), 'utf8'));
  const house = { ...archive, logo: 'https://house.test/logo.png', colours: COLOURS };
  await writeFile(join(folder, 'archive.json'), JSON.stringify(house));
  return folder;
}

async function expectHidden(page: Page, selectors: readonly string[]): Promise<void> {
  for (const selector of selectors) {
    const found = page.locator(selector).first();
    await found.waitFor({ state: 'attached', timeout: 5_000 });
    expect(await found.isVisible(), selector).toBe(false);
  }
}

/** The page of the documentation about pages. */
const PAGES_GUIDE = new URL('../../../docs/pages.md', import.meta.url);

describeSite('pages of an institution', writeHouse, ({ archive, open, pathOf }) => {
  const asReader = { headers: { accept: 'text/html' } };

  test.each(['en', 'nl'])('have its logo and colours, and are accessible, in %s', async (language) => {
    for (const [colorScheme, colour] of [
      ['light', 'rgb(0, 83, 155)'],
      ['dark', 'rgb(156, 199, 239)'],
    ] as const) {
      const look = async (page: Page) => {
        const link = page.locator('.site-header li a').first();
        expect(await link.evaluate((element) => getComputedStyle(element).color)).toBe(colour);
        expect(await page.locator('.logo').getAttribute('src')).toBe('https://house.test/logo.png');
        expect(await page.locator('.logo').boundingBox()).toMatchObject({ width: 64, height: 36 });
        await page.locator('.map.drawn').waitFor();
        expect(await barriersOf(page)).toEqual([]);
      };
      await open(`/${language}/`, look, { colorScheme, viewport: { width: 1280, height: 1400 } });
    }
    for (const path of [`/${language}/docs`, `/${language}/nowhere`]) {
      const { headers } = await archive().fetch(path, asReader);
      expect(headers.get('content-security-policy'), path).toContain("img-src 'self' https: http: data:;");
    }
  });

  test('keep their look: it is exported with them', async () => {
    const out = join(await temporaryFolder(), 'bundle');
    expect(await runApiHere(['extract', out], settingsFor(archive().database))).toMatchObject({ code: 0 });
    const exported = JSON.parse(await readFile(join(out, 'archive.json'), 'utf8'));
    expect(exported).toMatchObject({ logo: 'https://house.test/logo.png', colours: COLOURS });
  });

  test('are printed black on white, without controls, and with their citation', async () => {
    const path = await pathOf(BEECKMAN);
    await open(path, async (page) => {
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await expectHidden(page, [
        '.site-header nav',
        '.cite pre',
        '.cite a',
        '.share',
        '.skip',
        '.turn',
        '.trail',
        '.on-page',
      ]);
      const styles = await page.locator('.prose').evaluate((prose) => {
        const { color } = getComputedStyle(prose);
        const { textDecorationLine } = getComputedStyle(prose.querySelector('a') ?? prose);
        return { color, textDecorationLine };
      });
      expect(styles).toEqual({ color: 'rgb(0, 0, 0)', textDecorationLine: 'none' });
      expect(await page.locator('.cite p').evaluate((text) => text.getBoundingClientRect().height > 10)).toBe(
        true,
      );
      expect((await page.pdf()).length).toBeGreaterThan(10_000);
    });
  });

  test('are printed without empty forms and headings; the query of a search stays', async () => {
    await open('/en/', async (page) => {
      await page.emulateMedia({ media: 'print' });
      await expectHidden(page, ['.search', '.help', 'section:has(> .map)']);
      await page.goto(`${archive().origin}/en/zoeken/?q=leiden`);
      await expectHidden(page, ['.search button', '.help', '.facets', '.sorts', '.found-map']);
      expect(await page.locator('.search input').isVisible()).toBe(true);
    });
  });

  test('are printed with all that is folded, and with the places of their maps', async () => {
    const [subject, location, long] = [
      await pathOf('kind:subject parent:1'),
      await pathOf('kind:location'),
      await pathOf(BEECKMAN),
    ];
    const lists = ['personen', 'locaties', 'gebeurtenissen', 'onderwerpen'].map((name) => `/en/${name}/`);
    const others = ['/en/', '/en/zoeken/?q=leiden', '/en/dataset/', '/en/docs'];
    const folded = new Set<string>();
    for (const path of [subject, location, long, ...lists, ...others]) {
      await open(path, async (page) => {
        await page.emulateMedia({ media: 'print' });
        const found = await page.evaluate(() => {
          const isControl = (element: Element) =>
            element.closest('.refine, nav, button, .cite pre, .cite a, .share') !== null;
          const parts = [...document.querySelectorAll('details > :not(summary), [data-latitude]')];
          return parts
            .filter((part) => !isControl(part))
            .map((part) => ({
              name: part.parentElement?.className || part.localName,
              isPrinted: part.checkVisibility() && part.getBoundingClientRect().height > 0,
            }));
        });
        expect(
          found.filter(({ isPrinted }) => !isPrinted),
          path,
        ).toEqual([]);
        for (const { name } of found) folded.add(name);
      });
    }
    expect([...folded]).toEqual(expect.arrayContaining(['cite', 'ul', 'cards', 'results']));
  });

  test('have a citation as text, as BibTeX and as metadata for reference managers', async () => {
    const path = await pathOf(BEECKMAN);
    await open(path, async (page) => {
      await page.locator('.cite summary').click();
      const address = archive().origin + path;
      const day = new Date().toISOString().slice(0, 7);
      const text = await page.locator('.cite p').innerText();
      expect(text).toContain('“Isaac Beeckman”, Science, printing and learning in the Dutch Republic, ');
      expect(text).toContain(`edition 1 (${day}`);
      expect(text.endsWith(`, ${address}.`)).toBe(true);
      const bibtex = await page.locator('.cite pre').innerText();
      expect(bibtex).toMatch(/^@misc\{[0-9a-f]{8},\n {2}title = \{\{Isaac Beeckman\}\},\n/);
      expect(bibtex).toContain(`  url = {${address}},\n`);
      const tag = (name: string) => page.locator(`meta[name="${name}"]`).getAttribute('content');
      expect(await tag('citation_title')).toBe('Isaac Beeckman');
      expect(await tag('citation_public_url')).toBe(address);
      expect(bibtex.trim().endsWith('}')).toBe(true);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy BibTeX' }).press('Enter');
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(bibtex);
    });
  });

  test.each([
    [390, false],
    [1280, true],
  ])('have filters before the results of a search, at %i pixels unfolded: %s', async (width, isUnfolded) => {
    const look = async (page: Page) => {
      const seen = await page.locator('.refine .facets a').first().isVisible();
      const isBefore = await page.evaluate(() => {
        const [filters, results] = ['.refine', '.hits'].map((name) => document.querySelector(name));
        const { DOCUMENT_POSITION_FOLLOWING } = Node;
        return filters && results
          ? (filters.compareDocumentPosition(results) & DOCUMENT_POSITION_FOLLOWING) > 0
          : undefined;
      });
      expect([seen, isBefore]).toEqual([isUnfolded, true]);
    };
    await open('/en/zoeken/?q=leiden', look, { viewport: { width, height: 800 } });
  });

  const sizeOf = async (address: string | URL) => {
    const response = await fetch(address, { headers: { 'accept-encoding': 'br' } });
    return { size: Number(response.headers.get('content-length')), text: await response.text() };
  };

  test('load as much more for a map, and for the forms of the documentation, as docs/pages.md says', async () => {
    const said = /a map loads (\d+) kB more, the forms of the documentation (\d+) kB/.exec(
      await readFile(PAGES_GUIDE, 'utf8'),
    );
    for (const [at, path, attributes] of [
      [1, '/en/', 'script|styles|land'],
      [2, '/en/docs', 'script|styles'],
    ] as const) {
      const address = archive().origin + path;
      const { text } = await sizeOf(address);
      const named = text.matchAll(new RegExp(`data-(?:${attributes})="([^"]*assets/[^"]+)"`, 'g'));
      const files = new Set(Array.from(named, ([, file = '']) => new URL(file, address).href));
      const sizes = await Promise.all(Array.from(files, sizeOf));
      const kilobytes = sizes.reduce((sum, { size }) => sum + size, 0) / 1_000;
      expect([path, Math.abs(kilobytes - Number(said?.[at])) < 3, kilobytes]).toEqual([
        path,
        true,
        kilobytes,
      ]);
    }
  });

  test('are at most 60 kB with their styles and scripts, before a map is loaded', async () => {
    for (const path of ['/en/', '/nl/zoeken/?q=leiden', '/en/personen/', await pathOf(BEECKMAN)]) {
      const { size, text } = await sizeOf(archive().origin + path);
      const files = [...text.matchAll(/(?:href|src)="([^"]*assets\/[^"]+\.(?:css|js))"/g)];
      const sizes = files.map(([, file = '']) => sizeOf(new URL(file, archive().origin + path)));
      const all = (await Promise.all(sizes)).reduce((sum, file) => sum + file.size, size);
      expect(files.length, path).toBeGreaterThan(1);
      expect(all, path).toBeGreaterThan(3_000);
      expect(all, path).toBeLessThan(60_000);
    }
  });

  test('can be navigated with the keyboard, with a visible focus throughout', async () => {
    const look = async (page: Page) => {
      await page.keyboard.press('Tab');
      expect(await page.locator('.skip').boundingBox()).toMatchObject({ y: 16 });
      for (let step = 0; step < 25; step += 1) {
        await page.keyboard.press('Tab');
        const focus = await page.evaluate(() => {
          const element = document.activeElement ?? document.body;
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          const { width, height, top } = element.getBoundingClientRect();
          const isSeen = width > 0 && height > 0 && top < innerHeight && top > -height;
          return { name: element.outerHTML.slice(0, 80), outlineStyle, outlineWidth, isSeen };
        });
        if (focus.name.startsWith('<body')) break;
        expect(focus).toMatchObject({ outlineStyle: 'solid', outlineWidth: '3px', isSeen: true });
      }
    };
    for (const path of ['/en/zoeken/?q=leiden', await pathOf(BEECKMAN)]) {
      await open(path, look, { reducedMotion: 'reduce' });
    }
  });

  test('report that they are unavailable without a search index, and are never incomplete', async () => {
    // The index of the next edition cannot be built: a file has the name of its folder.
    const derived = join(archive().database.folder, 'derived');
    const [own = ''] = await readdir(derived);
    await rename(join(derived, own), join(archive().database.folder, 'moved'));
    await writeFile(join(derived, own), '');
    const elsewhere = {
      ...settingsFor(archive().database),
      DERIVED_DIR: join(archive().database.folder, 'other'),
    };
    expect(await runApiHere(['publish', SAMPLE, '--force', '--keep', '1'], elsewhere)).toMatchObject({
      code: 0,
    });
    await expect
      .poll(async () => (await archive().fetch('/nl/', asReader)).status, { timeout: 20_000 })
      .toBe(503);

    const page = await archive().fetch('/nl/', asReader);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('retry-after')).toBe('1');
    expect(page.headers.has('etag')).toBe(false);
    const html = await page.text();
    expect(html).toContain('<html lang="nl">');
    expect(html).toContain('Zoeken is tijdelijk niet mogelijk');
    expect(await faultsOfHtml(html)).toEqual([]);
    const program = await archive().fetch('/nl/', { headers: { accept: 'application/json' } });
    expect(program.headers.get('content-type')).toBe('application/problem+json');
    expect((await archive().fetch('/nl/api/persons')).status).toBe(200);
  });
});
