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
  // What is elsewhere is not asked.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** What the console says of pictures of other hosts, which are not asked. */
const NOT_ASKED = /net::ERR_NAME_NOT_RESOLVED/;

/** A Chromium of this machine. @throws Error where there is none: pages cannot be tested without */
export async function startChromium(): Promise<Browser> {
  const path = process.env['PATH'] ?? '';
  const executablePath = (await findProgram('chromium', path)) ?? (await findProgram('google-chrome', path));
  if (!executablePath) throw new Error('pages are tested in Chromium: expected chromium on the PATH');
  return chromium.launch({ executablePath, args: QUIET });
}

/** Opens a page, and gives it to `look`; fails where the page had an error or something was stopped by its policy. */
export async function visit<Seen>(
  browser: Browser,
  url: string,
  look: (page: Page) => Promise<Seen>,
  options: BrowserContextOptions = {},
): Promise<Seen> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !NOT_ASKED.test(message.text())) faults.push(message.text());
    });
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(url);
    const seen = await look(page);
    if (faults.length > 0) throw new Error(`${url}: ${faults.join('\n')}`);
    return seen;
  } finally {
    await context.close();
  }
}
