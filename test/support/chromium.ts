import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { extract } from 'tar-fs';
import { inject } from 'vitest';
import { findProgram } from './find-program.ts';

/** Without these, Chromium sends requests to Google. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  // Every process that Chromium starts takes half a second.
  '--disable-extensions',
  '--renderer-process-limit=1',
  '--disable-features=SpareRendererForSitePerProcess',
  // No requests to other hosts.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** The default size of the window. */
const VIEWPORT = { width: 1280, height: 720 };

/** The console's message about pictures of other hosts, which are not requested. */
const NOT_ASKED = /net::ERR_NAME_NOT_RESOLVED/;

/** A browser that starts on this machine. */
export interface BrowserProgram {
  executablePath: string;
  /** Environment variables that it needs in addition to those of this process. */
  environment: Record<string, string>;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser for tests of pages; null if none starts on this machine. */
    browser: BrowserProgram | null;
  }
}

/** The platform of the browser that `npm ci` installs. */
const PLATFORM = 'linux x64';

/** Where it is unpacked, once for each version. */
const UNPACKED = fileURLToPath(new URL('../../node_modules/.cache/chromium/', import.meta.url));

/**
 * Finds a browser that starts here: `chromium` or `google-chrome` in the PATH, else the one that `npm ci` installs.
 *
 * Looks once per process.
 *
 * @returns undefined if none of them starts, because of a missing library or an unsupported platform
 */
export function findBrowser(path: string): Promise<BrowserProgram | undefined> {
  found ??= lookForBrowser(path);
  return found;
}

let found: Promise<BrowserProgram | undefined> | undefined;

async function lookForBrowser(path: string): Promise<BrowserProgram | undefined> {
  const installed = await findProgram('chromium|google-chrome', path);
  if (installed) {
    const program = { executablePath: installed, environment: {} };
    if (await starts(program)) return program;
  }
  if (`${process.platform} ${process.arch}` !== PLATFORM) return undefined;
  const unpacked = await unpackBrowser();
  return (await starts(unpacked)) ? unpacked : undefined;
}

async function starts(program: BrowserProgram): Promise<boolean> {
  try {
    const browser = await launchBrowser(program);
    await browser.newPage().finally(() => browser.close());
    return true;
  } catch {
    return false;
  }
}

/** Unpacks the browser that `npm ci` installs, with its libraries and font. */
async function unpackBrowser(): Promise<BrowserProgram> {
  const description = findPackageJSON('@sparticuz/chromium', import.meta.url) ?? '';
  const { version } = JSON.parse(await readFile(description, 'utf8'));
  const packed = join(dirname(description), 'bin');
  const folder = join(UNPACKED, version);
  const isThere = await access(folder).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    await mkdir(UNPACKED, { recursive: true });
    const fresh = await mkdtemp(join(UNPACKED, 'new-'));
    const unpack = (name: string, into: NodeJS.WritableStream) =>
      pipeline(createReadStream(join(packed, name)), createBrotliDecompress(), into);
    await Promise.all([
      unpack('chromium.br', createWriteStream(join(fresh, 'chromium'), { mode: 0o755 })),
      unpack('al2023.tar.br', extract(join(fresh, 'libraries'))),
      unpack('fonts.tar.br', extract(join(fresh, 'fonts'))),
    ]);
    await writeFile(join(fresh, 'fonts.conf'), fontsConfiguration(join(folder, 'fonts')));
    // If two runs unpack it concurrently, one of the copies is kept.
    await rename(fresh, folder).catch(() => rm(fresh, { recursive: true }));
  }
  return {
    executablePath: join(folder, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: join(folder, 'libraries', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  };
}

function fontsConfiguration(folder: string): string {
  const cache = join(folder, '..', 'fonts-cache');
  return `<fontconfig><dir>${folder}</dir><cachedir>${cache}</cachedir></fontconfig>\n`;
}

/** Starts the browser of this run. */
export async function startChromium(): Promise<Browser> {
  const program = inject('browser');
  if (!program) throw new Error('a test that starts a browser must declare that need');
  return await launchBrowser(program);
}

/** Starts a browser with its own temporary folder, because it does not remove all files that it writes there. */
export async function launchBrowser({ executablePath, environment }: BrowserProgram): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-browser-'));
  const env = { ...process.env, ...environment, TMPDIR: folder };
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  const browser = await chromium.launch({ executablePath, args: QUIET, env }).catch(async (error) => {
    await removeFolder();
    throw error;
  });
  const close = browser.close.bind(browser);
  return Object.assign(browser, {
    close: (options?: { reason?: string }) => close(options).then(removeFolder),
  });
}

/** How a page is viewed. Options that do not belong to a tab, such as touch, need a separate context. */
export type VisitOptions = Pick<
  BrowserContextOptions,
  'viewport' | 'colorScheme' | 'reducedMotion' | 'hasTouch' | 'javaScriptEnabled' | 'deviceScaleFactor'
>;

/**
 * Opens a page and passes it to `look`; fails if the page had an error or its policy blocked something.
 * Pages are opened one after the other, in one tab if possible: a new tab for each takes three times as long.
 */
export async function visit<Seen>(
  browser: Browser,
  url: string,
  look: (page: Page) => Promise<Seen>,
  { viewport, colorScheme = 'light', reducedMotion = 'no-preference', ...more }: VisitOptions = {},
): Promise<Seen> {
  const isShared = Object.keys(more).length === 0;
  const page = isShared ? await tabOf(browser) : await (await browser.newContext(more)).newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !NOT_ASKED.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  let isOver = false;
  try {
    await page.setViewportSize(viewport ?? VIEWPORT);
    await page.emulateMedia({ media: null, colorScheme, reducedMotion });
    await page.goto(url);
    const seen = await look(page);
    if (faults.length > 0) throw new Error(`${url}: ${faults.join('\n')}`);
    isOver = isShared;
    return seen;
  } finally {
    await (isOver ? leave(page) : page.context().close());
  }
}

/** The tab in which pages are opened one after the other. */
async function tabOf(browser: Browser): Promise<Page> {
  const [context = await browser.newContext()] = browser.contexts();
  const [page = await context.newPage()] = context.pages();
  return page;
}

/** Removes all traces of a page from a tab. */
async function leave(page: Page): Promise<void> {
  page.removeAllListeners();
  await page.goto('about:blank');
}
