/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../../support/api-here.ts';
import { settingsFor } from '../../support/api-process.ts';
import { type ApiServer, ITSELF, serveDatabase } from '../../support/api-server.ts';
import { startChromium } from '../../support/chromium.ts';
import { writeBundle } from '../../support/fixture/fixture-bundle.ts';
import { freePort } from '../../support/free-port.ts';
import { endAtLast } from '../../support/leftovers.ts';
import { needs, placeOf } from '../../support/programs.ts';
import { photograph } from '../../support/real-pictures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createTestDatabase } from '../../support/test-database.ts';

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Pictures with one tile and with many, wide and high, and of sizes that tiles divide and do not divide. */
const SIZES = [
  ...([
    [150, 100],
    [512, 512],
    [513, 512],
    [1_024, 1_024],
    [1_025, 300],
    [300, 1_501],
  ] as const),
  ...([
    [2_048, 1_000],
    [2_500, 2_500],
    [3_001, 77],
    [1_999, 2_777],
  ] as const),
];

/** The script of each viewer, as sites include it. */
const SCRIPTS = {
  OpenSeadragon: () =>
    createRequire(import.meta.url).resolve('openseadragon/build/openseadragon/openseadragon.min.js'),
  Mirador: () => placeOf('mirador'),
};

type Viewer = keyof typeof SCRIPTS;

declare global {
  interface Window {
    /** The viewer of OpenSeadragon. */
    opened: { world: { getItemAt(at: number): { source: Tiles } } };
  }
}

/** What OpenSeadragon knows of the tiles of a picture. */
interface Tiles {
  minLevel: number;
  maxLevel: number;
  getNumTiles(level: number): { x: number; y: number };
  getTileUrl(level: number, x: number, y: number): string;
}

/** How each viewer opens a manifest, in a page with the element `viewer`. */
const PAGES: Readonly<Record<Viewer, string>> = {
  OpenSeadragon: `fetch(manifest).then((response) => response.json()).then(({ items }) => {
    const [service] = items[0].items[0].items[0].body.service;
    const viewer = OpenSeadragon({ id: 'viewer', tileSources: service.id + '/info.json', showNavigationControl: false });
    window.opened = viewer;
    viewer.addHandler('open', () => viewer.viewport.zoomTo(viewer.viewport.getMaxZoom() / 2));
    const isDone = () => viewer.world.getItemAt(0)?.getFullyLoaded() && viewer.viewport.getZoom() > 0;
    const timer = setInterval(() => { if (isDone()) { clearInterval(timer); document.body.id = 'loaded'; } }, 100);
  });`,
  Mirador: `Mirador.viewer({ id: 'viewer', windows: [{ manifestId: manifest }], workspaceControlPanel: { enabled: false } });
    const timer = setInterval(() => { if (document.querySelector('canvas')) { clearInterval(timer); document.body.id = 'loaded'; } }, 100);`,
};

describe('viewers of others', needs('browser'), () => {
  let server: ApiServer;
  let browser: Browser;
  let place: string;

  beforeAll(async () => {
    const folder = await temporaryFolder();
    const media = join(folder, 'media');
    const person = SIZES.map((_, at) => {
      const image = { id: at + 1, uuid: uuid(100 + at), filetype: 'image', path: `${at}.jpg` };
      return { id: at + 1, uuid: uuid(at + 1), title_nl: `Persoon ${at + 1}`, image };
    });
    const bundle = await writeBundle(join(folder, 'bundle'), { person });
    await writeBundle(media, {});
    for (const [at, [width, height]] of SIZES.entries())
      await photograph(width, height).toFile(join(media, `${at}.jpg`));
    const database = await createTestDatabase('sqlite');
    const settings = { MEDIA_DIR: media, PICTURES_DIR: join(folder, 'pictures') };
    expect(await runApiHere(['publish', bundle], settingsFor(database, settings))).toMatchObject({ code: 0 });
    server = await serveDatabase(database, { ...settings, BASE_URL: ITSELF, ACCESS_LOG: 'on' });
    browser = await startChromium();
    endAtLast(() => browser.close());
    const pages = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://unused');
      const [, viewer = ''] = pathname.split('/') as [string, Viewer];
      if (pathname.endsWith('.js')) {
        const file = SCRIPTS[viewer as Viewer]();
        response.setHeader('content-type', 'text/javascript; charset=utf-8').end(await readFile(file));
        return;
      }
      response
        .setHeader('content-type', 'text/html; charset=utf-8')
        .end(`<!doctype html><link rel="icon" href="data:,">
        <div id="viewer" style="position: absolute; width: 1000px; height: 700px"></div>
        <script src="/${viewer}/viewer.js"></script>
        <script>const manifest = ${JSON.stringify(searchParams.get('manifest'))}; ${PAGES[viewer as Viewer]}</script>`);
    });
    const port = await freePort();
    await new Promise<void>((resolve) => pages.listen(port, '127.0.0.1', resolve));
    endAtLast(() => new Promise((resolve) => pages.close(resolve)));
    place = `http://127.0.0.1:${port}`;
  });

  /** Opens a manifest in a viewer at another origin, and zooms. @returns the addresses of images that it loaded */
  async function look(page: Page, viewer: Viewer, manifest: string): Promise<string[]> {
    const loaded: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/iiif/images/')) loaded.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${place}/${viewer}?manifest=${encodeURIComponent(manifest)}`);
    await page.waitForFunction(() => document.body.id === 'loaded', undefined, { timeout: 30_000 });
    await page.mouse.move(500, 350);
    for (let step = 0; step < 6; step += 1) {
      await page.mouse.wheel(0, -400);
      await page.waitForTimeout(150);
    }
    await page.waitForLoadState('networkidle');
    page.removeAllListeners('response');
    return loaded;
  }

  async function openTen(viewer: Viewer): Promise<void> {
    const page = await browser.newPage();
    let tiles = 0;
    for (const [at, [width, height]] of SIZES.entries()) {
      const loaded = await look(page, viewer, `${server.origin}/iiif/${uuid(at + 1)}/manifest.json`);
      const missing = loaded.filter((line) => !/^(?:200|304) /.test(line));
      expect([width, height, missing]).toEqual([width, height, []]);
      expect(loaded.filter((line) => line.endsWith('.jpg')).length).toBeGreaterThan(0);
      tiles += loaded.filter((line) => /\/\d+,\d+,\d+,\d+\//.test(line)).length;
    }
    expect(tiles).toBeGreaterThan(50);
    await page.close();
    const missing = server.process
      .stderr()
      .split('\n')
      .filter((line) => line.includes('"status":404'));
    expect(missing).toEqual([]);
  }

  test('OpenSeadragon opens ten manifests and zooms, and nothing that it asks for is missing', () =>
    openTen('OpenSeadragon'));

  test('each tile that OpenSeadragon may ask for is there, at every zoom', async () => {
    const page = await browser.newPage();
    for (const [at] of SIZES.entries()) {
      await look(page, 'OpenSeadragon', `${server.origin}/iiif/${uuid(at + 1)}/manifest.json`);
      const tiles = await page.evaluate(() => {
        const { source } = window.opened.world.getItemAt(0);
        const urls = [];
        for (let level = source.minLevel; level <= source.maxLevel; level += 1) {
          const { x: columns, y: rows } = source.getNumTiles(level);
          for (let x = 0; x < columns; x += 1)
            for (let y = 0; y < rows; y += 1) urls.push(source.getTileUrl(level, x, y));
        }
        return urls;
      });
      expect(tiles.length).toBeGreaterThan(0);
      for (const tile of tiles) expect([tile, (await fetch(tile)).status]).toEqual([tile, 200]);
    }
    await page.close();
  });

  test(
    'Mirador opens ten manifests and zooms, and nothing that it asks for is missing',
    needs('mirador'),
    () => openTen('Mirador'),
  );
});
