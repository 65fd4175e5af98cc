/// <reference lib="dom" />
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../../support/api-here.ts';
import { settingsFor } from '../../support/api-process.ts';
import { type ApiServer, ITSELF, serveDatabase } from '../../support/api-server.ts';
import { startChromium, type VisitOptions, visit } from '../../support/chromium.ts';
import { writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { endAtLast } from '../../support/leftovers.ts';
import { barriersOf } from '../../support/page-checks.ts';
import { needs } from '../../support/programs.ts';
import { photograph, plain } from '../../support/real-pictures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestDatabase } from '../../support/test-database.ts';

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** The pictures of the record, the main one first, and one that is not in the media folder. */
const SIZES = [
  [4_000, 3_000],
  ...Array.from({ length: 10 }, (_, at) => [300 + 61 * at, 700 - 40 * at] as const),
] as const;
const ALL = SIZES.length + 1;

const TELEPHONE: VisitOptions = { viewport: { width: 390, height: 800 }, deviceScaleFactor: 3 };

describe('the pictures of a page', needs('browser'), () => {
  let server: ApiServer;
  let browser: Browser;
  let media: string;
  let settings: Record<string, string>;
  const open = <Seen>(path: string, look: (page: Page) => Promise<Seen>, options?: VisitOptions) =>
    visit(browser, server.origin + path, look, options);
  const PAGE = `/en/personen/${uuid(1)}/`;

  beforeAll(async () => {
    const folder = await temporaryFolder();
    media = join(folder, 'media');
    await mkdir(media);
    await Promise.all(
      SIZES.map(([width, height], at) =>
        (at === 0 ? photograph(width, height) : plain(width, height).jpeg()).toFile(join(media, `${at}.jpg`)),
      ),
    );
    const files = Array.from({ length: ALL }, (_, at) => ({
      ...{
        id: at + 1,
        uuid: uuid(100 + at),
        filetype: 'image',
        title: `Picture ${at + 1}`,
        alt: `Maker ${at + 1}`,
      },
      ...(at < SIZES.length ? { path: `${at}.jpg` } : { path: 'last.jpg' }),
    }));
    await plain(50, 60).jpeg().toFile(join(media, 'last.jpg'));
    const person = [
      {
        id: 1,
        uuid: uuid(1),
        title_nl: 'Met beelden',
        summary_nl: 'Twaalf.',
        image: files[0],
        files: files.slice(1),
      },
      { id: 2, uuid: uuid(2), title_nl: 'Zonder beelden' },
    ];
    const bundle = await writeBundle(join(folder, 'bundle'), { person });
    const database = await createTestDatabase('sqlite');
    settings = { MEDIA_DIR: media, PICTURES_DIR: join(folder, 'pictures') };
    expect(await runApiHere(['publish', bundle], settingsFor(database, settings))).toMatchObject({ code: 0 });
    server = await serveDatabase(database, { ...settings, BASE_URL: ITSELF });
    browser = await startChromium();
    endAtLast(() => browser.close());
  });

  test('weigh at most 60 kB on a telephone where the file has 5 MB, on its page and in lists, and nothing jumps', async () => {
    expect((await stat(join(media, '0.jpg'))).size).toBeGreaterThan(5e6);
    for (const [path, selector] of [
      [PAGE, '.picture img'],
      ['/en/', '.thumbnail'],
      ['/en/zoeken/?q=beelden', '.thumbnail'],
    ] as const) {
      await open(
        path,
        async (page) => {
          const image = page.locator(selector).first();
          await expect
            .poll(() => image.evaluate((each: HTMLImageElement) => each.complete && each.naturalWidth))
            .toBeTruthy();
          const address = await image.evaluate((each: HTMLImageElement) => each.currentSrc);
          const weight = Number((await fetch(address)).headers.get('content-length'));
          expect([path, address.includes('/iiif/images/'), weight < 60_000]).toEqual([path, true, true]);
          const shift = await page.evaluate(
            () =>
              new Promise<number>((resolve) => {
                const seen = (list: PerformanceObserverEntryList) =>
                  resolve(
                    list.getEntries().reduce((sum, entry) => sum + Number(Reflect.get(entry, 'value')), 0),
                  );
                new PerformanceObserver(seen).observe({ type: 'layout-shift', buffered: true });
                setTimeout(() => resolve(0), 300);
              }),
          );
          expect([path, shift]).toEqual([path, 0]);
        },
        TELEPHONE,
      );
    }
  });

  test('open large at a click, as one sequence with credits, zoom to every tile, and close by keyboard', async () => {
    await open(PAGE, async (page) => {
      const failed: string[] = [];
      const tiles = new Set<string>();
      page.on('response', (response) => {
        if (response.status() >= 400) failed.push(response.url());
        if (/\d+,\d+,\d+,\d+\/\d+,\d+\/0\/default\.jpg$/.test(response.url())) tiles.add(response.url());
      });
      const link = page.locator('.picture a').first();
      await link.focus();
      await page.keyboard.press('Enter');
      const viewer = page.locator('dialog.viewer');
      await viewer.locator('.leaflet-tile-loaded').first().waitFor();
      expect(await viewer.locator('p').innerText()).toContain('Maker 1');
      expect(await viewer.innerText()).toContain(`1 / ${ALL}`);
      expect(await barriersOf(page)).toEqual([]);
      const before = tiles.size;
      for (let step = 0; step < 3; step += 1) {
        await page.keyboard.press('+');
        await page.waitForLoadState('networkidle');
      }
      await expect.poll(() => tiles.size).toBeGreaterThan(before);
      // A picture can be left while it zooms.
      await page.keyboard.press('-');
      // The picture is whole: what is in the middle of the view is a tile, of its own size.
      await viewer.getByRole('button', { name: 'Next picture' }).click();
      expect(await viewer.locator('p').innerText()).toContain('Maker 2');
      for (let turn = 2; turn < ALL; turn += 1) {
        await viewer.getByRole('button', { name: 'Next picture' }).click();
        await viewer.locator('.leaflet-tile-loaded').first().waitFor();
      }
      expect(await viewer.innerText()).toContain(`${ALL} / ${ALL}`);
      await viewer.getByRole('button', { name: 'Next picture' }).click();
      expect(await viewer.innerText()).toContain(`1 / ${ALL}`);
      await viewer.getByRole('button', { name: 'Previous picture' }).click();
      expect(await viewer.innerText()).toContain(`${ALL} / ${ALL}`);
      await page.keyboard.press('Escape');
      await viewer.waitFor({ state: 'detached' });
      expect(failed).toEqual([]);
    });
  });

  test('are the files themselves without scripts, and with a key for another tab', async () => {
    await open(
      PAGE,
      async (page) => {
        const asked = page.waitForRequest(`${server.origin}/media/0.jpg`);
        // The page of a picture, which the browser makes, violates the policy of files: the browser stays.
        await page.route('**/media/0.jpg', (route) => route.abort());
        await page.locator('.picture a').first().click({ noWaitAfter: true });
        await asked;
      },
      { javaScriptEnabled: false },
    );
    await open(PAGE, async (page) => {
      const opened = page.context().waitForEvent('page');
      await page
        .locator('.picture a')
        .first()
        .click({ modifiers: ['Control'] });
      await (await opened).close();
      expect(await page.locator('dialog').count()).toBe(0);
    });
  });

  test('cost a page without one nothing', async () => {
    const without = await (await server.fetch(`/en/personen/${uuid(2)}/`)).text();
    expect(without).not.toMatch(/pictures\.\w+\.js|data-viewer|iiif/);
    const page = await (await server.fetch(PAGE)).text();
    expect(page).toMatch(/pictures\.\w+\.js/);
    expect(page).not.toMatch(/<script[^>]*viewer/);
    expect(page).toMatch(/<meta property="og:image" content="http[^"]*\/full\/1600,1200\/0\/default.jpg"/);
  });

  test('without sizes and tiles, a click shows the file itself large', async () => {
    await server.stop();
    await rm(settings['PICTURES_DIR'] ?? '', { recursive: true });
    const database = await createTestDatabase('sqlite');
    const folder = await temporaryFolder();
    const image = { id: 1, uuid: uuid(100), filetype: 'image', path: '1.jpg' };
    const bundle = await writeBundle(join(folder, 'bundle'), {
      person: [{ id: 1, uuid: uuid(1), title_nl: 'Met beeld', image }],
    });
    const plainly = { MEDIA_DIR: media };
    expect(await runApiHere(['publish', bundle], settingsFor(database, plainly))).toMatchObject({ code: 0 });
    server = await serveDatabase(database, { ...plainly, BASE_URL: ITSELF });
    await open(PAGE, async (page) => {
      await page.locator('.picture a').click();
      const shown = page.locator('dialog.viewer img.leaflet-image-layer');
      await shown.waitFor();
      expect(await shown.getAttribute('src')).toBe(`${server.origin}/media/1.jpg`);
      expect(await barriersOf(page)).toEqual([]);
    });
  });
});
