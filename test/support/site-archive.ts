import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { startApi, type TestArchive } from './api-server.ts';
import { startChromium, visit } from './chromium.ts';
import { freePort } from './free-port.ts';

/** The sample archive. */
export const SAMPLE = fileURLToPath(new URL('../../apps/api/sample', import.meta.url));

/** The pictures of the sample archive. */
export const SAMPLE_MEDIA = fileURLToPath(new URL('../../apps/api/sample/media', import.meta.url));

/** An archive whose pages a browser can look at: its links lead to the server itself. */
export interface Site {
  archive(): TestArchive;
  /** Opens a path, or an address, in Chromium; fails where the page has an error or breaks its policy. */
  open<Seen>(
    path: string,
    look: (page: Page) => Promise<Seen>,
    options?: BrowserContextOptions,
  ): Promise<Seen>;
}

/** Describes what holds of the pages of a bundle, in Chromium. */
export function describeSite(
  name: string,
  makeBundle: () => Promise<string> | string,
  body: (site: Site) => void,
  settings: Readonly<Record<string, string>> = {},
): void {
  describe(name, () => {
    let archive: TestArchive;
    let browser: Browser;
    beforeAll(async () => {
      const port = await freePort();
      archive = await startApi({
        engine: 'sqlite',
        bundle: await makeBundle(),
        settings: {
          PORT: String(port),
          BASE_URL: `http://127.0.0.1:${port}`,
          MEDIA_DIR: SAMPLE_MEDIA,
          ...settings,
        },
      });
      browser = await startChromium();
    });
    afterAll(async () => {
      await browser?.close();
      await archive?.stop();
    });
    body({
      archive: () => archive,
      open: (path, look, options = {}) => visit(browser, new URL(path, archive.origin).href, look, options),
    });
  });
}
