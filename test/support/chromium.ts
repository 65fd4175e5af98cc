import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
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
  '--in-process-gpu',
  '--renderer-process-limit=1',
  '--disable-features=SpareRendererForSitePerProcess',
  // What is elsewhere is not asked.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Of a page, where nothing else is asked for. */
const VIEWPORT = { width: 1280, height: 720 };

/** What the console says of pictures of other hosts, which are not asked. */
const NOT_ASKED = /net::ERR_NAME_NOT_RESOLVED/;

/** A Chromium of this machine. @throws Error where there is none: pages cannot be tested without */
export async function startChromium(): Promise<Browser> {
  const path = process.env['PATH'] ?? '';
  const executablePath = (await findProgram('chromium', path)) ?? (await findProgram('google-chrome', path));
  if (!executablePath) throw new Error('pages are tested in Chromium: expected chromium on the PATH');
  return chromium.launch({ executablePath, args: QUIET });
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
