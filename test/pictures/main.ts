import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { runApi, type Settings, startProcess } from '../support/api-process.ts';
import { findBrowser, launchBrowser, visit } from '../support/chromium.ts';
import { findProgram } from '../support/find-program.ts';
import { freePort } from '../support/free-port.ts';
import { endAtLast, endLeftovers } from '../support/leftovers.ts';

// Makes the pictures of docs/images again: pages of the sample archive, and the workbook and pages of the tutorial.
const IMAGES = resolve(import.meta.dirname, '../../docs/images');

/** A page: the name of its picture, its path, and the height shown in pixels. */
type Shown = readonly [name: string, path: string, height: number];

/** Width of the window in which a page is shown, and of its picture, in pixels. */
const [WINDOW, WIDTH] = [1_140, 720];

/** Width of the window in which a sheet is shown, wide enough for its columns, and the scale of its picture. */
const [SHEET_WINDOW, SHEET_SCALE] = [8_000, 0.7];

const OF_SAMPLE: readonly Shown[] = [
  ['page-home', '/en/', 708],
  ['page-search', '/en/zoeken/?q=leiden', 636],
  ['page-names', '/en/personen/', 497],
  ['page-person', '/en/personen/7a776fad-85cf-5ae0-93da-f4e8d4ecbabd/', 732],
  ['page-location', '/en/locaties/b514063b-f14c-5cef-ac5d-3b735f0a314b/', 690],
  ['page-event', '/en/gebeurtenissen/a2d9975c-4308-50d9-a7d1-51a5261da48c/', 690],
  ['page-subject', '/en/onderwerpen/92464a44-f327-5c74-a57c-3cc932ea9900/', 497],
  ['page-documentation', '/en/docs', 497],
];

const OF_TUTORIAL: readonly Shown[] = [
  ['tutorial-home-en', '/en/', 480],
  ['tutorial-home-nl', '/nl/', 480],
];

/** The sheets of the template: which of the workbook, and the part shown in pixels. */
const SHEETS: readonly [name: string, sheet: number, width: number, height: number][] = [
  ['template-persons', 0, 1_690, 100],
  ['template-help', 6, 2_100, 400],
];

const path = process.env['PATH'] ?? '';
const program = await findBrowser(path);
const office = await findProgram('soffice', path);
if (!program || !office) throw new Error('needs a browser, and soffice of LibreOffice');
const folder = await mkdtemp(join(tmpdir(), 'archive-pictures-'));
endAtLast(() => rm(folder, { recursive: true, force: true }));
const browser = await launchBrowser(program);
endAtLast(() => browser.close());
try {
  const workbook = join(folder, 'my-archive.xlsx');
  const tutorial = await settingsIn('tutorial');
  for (const command of [
    ['template', workbook],
    ['publish', workbook],
  ]) {
    const { code, stderr } = await runApi(command, tutorial);
    if (code !== 0) throw new Error(stderr);
  }
  await takeSheets(browser, workbook);
  await takePages(browser, ['serve'], tutorial, OF_TUTORIAL);
  await takePages(browser, ['serve', '--sample'], await settingsIn('sample'), OF_SAMPLE);
} finally {
  await endLeftovers();
}

/** Settings of a server with a database of its own. */
async function settingsIn(name: string): Promise<Settings> {
  const port = `${await freePort()}`;
  return {
    DATABASE_URL: `sqlite:${join(folder, `${name}.sqlite`)}`,
    DERIVED_DIR: join(folder, name),
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
  };
}

async function takePages(
  browser: Browser,
  args: readonly string[],
  settings: Settings,
  pages: readonly Shown[],
): Promise<void> {
  const server = startProcess(args, settings);
  await server.said(/Stop with Ctrl-C/);
  for (const [name, path, height] of pages)
    await take(browser, name, `${settings['BASE_URL']}${path}`, {
      width: WINDOW,
      height: Math.ceil((height * WINDOW) / WIDTH),
    });
  server.kill('SIGTERM');
  await server.ended;
}

/** Takes pictures of sheets as LibreOffice writes them to HTML. */
async function takeSheets(browser: Browser, workbook: string): Promise<void> {
  await promisify(execFile)(
    office ?? '',
    ['--headless', '--convert-to', 'html', '--outdir', folder, workbook],
    {
      env: { ...process.env, HOME: folder },
    },
  );
  const html = pathToFileURL(workbook.replace(/xlsx$/, 'html'));
  for (const [name, sheet, width, height] of SHEETS)
    await take(browser, name, `${html}`, { width, height }, sheet);
}

async function take(
  browser: Browser,
  name: string,
  url: string,
  size: { width: number; height: number },
  sheet?: number,
): Promise<void> {
  const isPage = sheet === undefined;
  const viewport = isPage ? size : { ...size, width: SHEET_WINDOW };
  await visit(
    browser,
    url,
    async (page) => {
      await page.waitForLoadState('networkidle');
      const path = join(IMAGES, `${name}.png`);
      const { x = 0, y = 0 } = (isPage ? null : await page.locator('table').nth(sheet).boundingBox()) ?? {};
      const clip = { x, y, ...size };
      await page.screenshot({ path, clip, fullPage: true });
    },
    { viewport, deviceScaleFactor: isPage ? WIDTH / WINDOW : SHEET_SCALE },
  );
}
