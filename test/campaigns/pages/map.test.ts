/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ApiServer, ITSELF, serveDatabase } from '../../support/api-server.ts';
import { barriersOf } from '../../support/page-checks.ts';
import { SAMPLE_MEDIA } from '../../support/sample.ts';
import { describeSite } from '../../support/site-archive.ts';

/** Addresses that a page requests. */
function requestsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  return asked;
}

const drawn = (page: Page) => page.locator('.map.drawn').waitFor();

/** How often a map puts a point of the earth on the screen while `look` runs. */
async function countProjected(page: Page, look: () => Promise<void>): Promise<number> {
  const profiler = await page.context().newCDPSession(page);
  await profiler.send('Profiler.enable');
  await profiler.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await look();
  const { result } = await profiler.send('Profiler.takePreciseCoverage');
  await profiler.detach();
  const counts = result
    .flatMap(({ functions }) => functions)
    .filter(({ functionName }) => functionName === 'latLngToLayerPoint');
  return Math.max(...counts.map(({ ranges }) => ranges[0]?.count ?? 0));
}

/** The number of places that a map shows: those alone, and those in clusters. */
async function countShown(page: Page): Promise<number> {
  const alone = await page.locator('.map .place').count();
  const inClusters = await page.locator('.map .cluster span').allInnerTexts();
  return inClusters.reduce((sum, count) => sum + Number(count), alone);
}

/** The name of the largest cluster of a map, and its number of places; undefined if it has none. */
async function findLargest(page: Page): Promise<{ name: string; count: number } | undefined> {
  const names = await page
    .locator('.map .cluster')
    .evaluateAll((all) => all.map((one) => one.ariaLabel ?? ''));
  const counted = names.map((name) => ({ name, count: Number.parseInt(name, 10) }));
  return counted.toSorted((a, b) => b.count - a.count)[0];
}

describeSite('the map', 'sample', ({ archive, open, pathOf }) => {
  const HUYGENS = 'kind:person christiaan huygens';

  test('of the front page is loaded when scrolled to, without layout shift, from the archive only', async () => {
    await open(
      '/en/',
      async (page) => {
        const asked = requestsOf(page);
        await page.reload({ waitUntil: 'networkidle' });
        expect(asked.filter((address) => /assets\/(?:map|land)\./.test(address))).toEqual([]);
        const heightOf = () => page.evaluate(() => document.documentElement.scrollHeight);
        const height = await heightOf();
        await page.locator('.map').scrollIntoViewIfNeeded();
        await drawn(page);
        expect(await heightOf()).toBe(height);
        expect(asked.filter((address) => /assets\/(?:map|land)\./.test(address)).length).toBe(3);
        expect(asked.filter((address) => !address.startsWith(archive().origin))).toEqual([]);
        expect(await page.locator('.map path.land').count()).toBe(1);
        // It shows the Netherlands, where most of the places are, and not the world.
        expect(await page.locator('.map .leaflet-control-scale-line').innerText()).toMatch(
          /^(?:30|50|100) km$/,
        );
        expect(await page.locator('.map .place, .map .cluster').count()).toBeGreaterThan(0);
      },
      { viewport: { width: 390, height: 500 } },
    );
  });

  test('works with the keyboard: a place opens, leads to its page, and closes', async () => {
    const uuid = (await pathOf('kind:location city:Leiden')).split('/').at(-2);
    await open(`/en/zoeken/?q=uuid:${uuid}`, async (page) => {
      await drawn(page);
      const pane = page.locator('.map .leaflet-map-pane');
      const before = await pane.getAttribute('style');
      await page.locator('.map').focus();
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => pane.getAttribute('style')).not.toBe(before);
      const place = page.locator('.map .place');
      await page.keyboard.press('Tab');
      expect(await place.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await place.getAttribute('role')).toBe('button');
      await page.keyboard.press('Enter');
      const link = page.locator('.leaflet-popup a[href*="locaties"]');
      await link.waitFor();
      expect(await place.getAttribute('aria-label')).toBe(await link.innerText());
      expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await barriersOf(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('.leaflet-popup').count()).toBe(0);
      expect(await place.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/en\/locaties\//);
    });
  });

  test('of the home page has all places in clusters, which split when opened', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const look = async (page: Page) => {
        await page.locator('.map').scrollIntoViewIfNeeded();
        await drawn(page);
        const cluster = page.locator('.map .cluster').first();
        expect(await cluster.getAttribute('aria-label')).toMatch(/^\d+ places$/);
        const shown = page.locator('.map .cluster, .map .place');
        const count = await shown.count();
        expect(await barriersOf(page), colorScheme).toEqual([]);
        await cluster.focus();
        await page.keyboard.press('Enter');
        await expect.poll(() => shown.count()).toBeGreaterThan(count);
      };
      await open('/en/', look, { colorScheme });
    }
  });

  test.each([
    ['the front page', '/en/', 56],
    ['the list of locations', '/nl/locaties/', 56],
    ['a person', HUYGENS, 2],
    ['a search', '/en/zoeken/?q=kind:location%20breda', 1],
  ])('of %s shows each place at each zoom, alone or in a cluster', async (_, at, places) => {
    await open(at.startsWith('/') ? at : await pathOf(at), async (page) => {
      await page.locator('.map').scrollIntoViewIfNeeded();
      await drawn(page);
      await page.locator('.map').focus();
      const farthest = page.locator('.map .leaflet-control-zoom-out.leaflet-disabled');
      while ((await farthest.count()) === 0) await page.keyboard.press('-');
      await expect.poll(() => countShown(page)).toBe(places);
      // From the whole world on, each cluster is opened until places are alone: all that it had are shown.
      for (let largest = await findLargest(page); largest; largest = await findLargest(page)) {
        const { name, count } = largest;
        const cluster = page.locator(`.map .cluster[aria-label="${name}"]`);
        await cluster.first().focus();
        await page.keyboard.press('Enter');
        await expect.poll(async () => (await findLargest(page))?.name).not.toBe(name);
        await expect.poll(() => countShown(page)).toBeGreaterThanOrEqual(count);
      }
      const alone = page.locator('.map .place');
      expect(await alone.count()).toBeGreaterThan(0);
      for (const place of await alone.all()) expect(await place.getAttribute('aria-label')).not.toBe('');
    });
  });

  test('of a search works with touch, and without animation if motion is reduced', async () => {
    const look = async (page: Page) => {
      await page.locator('.map').scrollIntoViewIfNeeded();
      await drawn(page);
      await page.locator('.map .place').first().tap();
      expect(await page.locator('.leaflet-popup a').first().getAttribute('href')).toMatch(/locaties/);
      expect(
        await page.locator('.map.leaflet-fade-anim, .map .leaflet-zoom-animated.leaflet-zoom-anim').count(),
      ).toBe(0);
    };
    await open('/nl/zoeken/?q=kind:location%20breda', look, {
      hasTouch: true,
      reducedMotion: 'reduce',
    });
  });

  test('calculates the outline of the land in view only, and draws it where a reader goes', async () => {
    await open('/en/', async (page) => {
      const projected = await countProjected(page, async () => {
        await page.reload();
        await page.locator('.map').scrollIntoViewIfNeeded();
        await drawn(page);
      });
      expect(projected).toBeGreaterThan(100);
      expect(projected).toBeLessThan(2_000);
      const countPieces = () =>
        page.locator('.map path.land').evaluate((land) => land.getAttribute('d')?.split('M').length ?? 0);
      const pieces = await countPieces();
      await page.locator('.map').focus();
      for (let step = 0; step < 3; step += 1) await page.keyboard.press('-');
      await expect.poll(countPieces).toBeGreaterThan(2 * pieces);
    });
  });

  test('takes no space without scripts, and its places are a list', async () => {
    const look = async (page: Page) => {
      expect(await page.locator('.map').isVisible()).toBe(false);
      expect(await page.locator('#places [data-latitude] a').count()).toBeGreaterThan(0);
    };
    await open(await pathOf(HUYGENS), look, { javaScriptEnabled: false });
  });

  test('of places in one town is the name of the town, because the land has no streets', async () => {
    await open(await pathOf('kind:location city:Leiden'), async (page) => {
      expect(await page.locator('.map').count()).toBe(0);
      expect(await page.locator('.line').innerText()).toContain('Leiden');
    });
    await open(await pathOf('kind:person janus dousa'), async (page) => {
      expect(await page.locator('.map').count()).toBe(0);
      expect(await page.locator('.town').innerText()).toBe('Leiden, Nederland');
    });
    // The Hague and Leiden are near each other.
    await open(await pathOf(HUYGENS), async (page) => expect(await page.locator('.map').count()).toBe(1));
  });

  describe('with MAP_TILES', () => {
    let tiled: ApiServer;
    beforeAll(async () => {
      tiled = await serveDatabase(archive().database, {
        BASE_URL: ITSELF,
        MEDIA_DIR: SAMPLE_MEDIA,
        MAP_TILES: 'https://{s}.tiles.test/{z}/{x}/{y}.png|© <b>Tiles</b>|https://tiles.test/terms',
      });
    });

    test('shows streets with their credit, and every page has the same policy', async () => {
      const path = await pathOf('kind:location city:Leiden');
      const { headers } = await tiled.fetch(path);
      const [, pictures] = /img-src ([^;]+)/.exec(headers.get('content-security-policy') ?? '') ?? [];
      expect(pictures).toBe("'self' https: http: data:");
      await open(`${tiled.origin}${path}`, async (page) => {
        await drawn(page);
        await page.locator('.map img.leaflet-tile').first().waitFor({ state: 'attached' });
        const tile = await page.locator('.map img.leaflet-tile').first().getAttribute('src');
        expect(tile).toMatch(/^https:\/\/[abc]\.tiles\.test\/16\/\d+\/\d+\.png$/);
        const credit = page.locator('.leaflet-control-attribution a[href="https://tiles.test/terms"]');
        expect(await credit.innerText()).toBe('© <b>Tiles</b>');
        expect(await page.locator('.map path.land').count()).toBe(0);
      });
    });

    test.each(['kind:location city:Leiden', 'kind:event city:Leiden'])(
      'has one on pages of a place in a town, which have none without: %s',
      async (query) => {
        const path = await pathOf(query);
        const hasMap = async (server: Pick<ApiServer, 'fetch'>) =>
          (await (await server.fetch(path)).text()).includes('class="map"');
        expect([await hasMap(tiled), await hasMap(archive())]).toEqual([true, false]);
      },
    );

    test('gives another ETag than without', async () => {
      const path = await pathOf('kind:location city:Leiden');
      const [one, other] = await Promise.all([archive().fetch(path), tiled.fetch(path)]);
      expect(one.headers.get('content-security-policy')).toBe(
        other.headers.get('content-security-policy')?.replace(tiled.origin, archive().origin),
      );
      expect(one.headers.get('etag')).not.toBe(other.headers.get('etag'));
    });
  });
});
