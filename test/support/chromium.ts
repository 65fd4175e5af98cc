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

/** Without these, Chromium talks to its makers. */
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
  // What is elsewhere is not asked.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Of a page, where nothing else is asked for. */
const VIEWPORT = { width: 1280, height: 720 };

/** What the console says of pictures of other hosts, which are not asked. */
const NOT_ASKED = /net::ERR_NAME_NOT_RESOLVED/;

/** A browser that starts on this machine. */
export interface BrowserProgram {
  executablePath: string;
  /** What it needs in its environment beside what the process has. */
  environment: Record<string, string>;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser that pages are tested in; null where none starts on this machine. */
    browser: BrowserProgram | null;
  }
}

/** What the browser that comes with `npm ci` is made for. */
const PLATFORM = 'linux x64';

/** Where it is unpacked, once for each version. */
const UNPACKED = fileURLToPath(new URL('../../node_modules/.cache/chromium/', import.meta.url));

/**
 * Finds a browser that starts here: `chromium` or `google-chrome` of the PATH, else the one that `npm ci` installs.
 *
 * It is looked for once in a process.
 *
 * @returns undefined where none of them starts, for want of a library or on another platform
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

/** Unpacks the browser that `npm ci` installs, with the libraries and the font that come with it. */
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
    // Of two runs that unpack it at a time, one keeps what it made.
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
  if (!program) throw new Error('a test that starts a browser has to say that it needs one');
  return await launchBrowser(program);
}

/** Starts a browser with a temporary folder of its own: it does not remove all that it writes there. */
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

/** How a page is looked at. What is not a matter of a tab, such as touch, takes a context of its own. */
export type VisitOptions = Pick<
  BrowserContextOptions,
  'viewport' | 'colorScheme' | 'reducedMotion' | 'hasTouch' | 'javaScriptEnabled' | 'deviceScaleFactor'
>;

/**
 * Opens a page, and gives it to `look`; fails where the page had an error or something was stopped by its policy.
 * Pages are opened one after the other, in one tab where they can be: a tab of its own for each takes three times
 * as long.
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

/** The tab that pages are opened in one after the other. */
async function tabOf(browser: Browser): Promise<Page> {
  const [context = await browser.newContext()] = browser.contexts();
  const [page = await context.newPage()] = context.pages();
  return page;
}

/** Leaves nothing in a tab of the page that was in it. */
async function leave(page: Page): Promise<void> {
  page.removeAllListeners();
  await page.goto('about:blank');
}
