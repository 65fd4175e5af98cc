import { rm } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, type SuiteOptions } from 'vitest';
import { startApi, startShared, type TestArchive } from './api-server.ts';
import { startChromium, type VisitOptions, visit } from './chromium.ts';
import { freePort } from './free-port.ts';
import { needs } from './programs.ts';
import { SAMPLE_MEDIA } from './sample.ts';
import type { SharedBundle } from './shared-archives.ts';

/** An archive with pages for a browser: its links lead to the server itself. */
export interface Site {
  archive(): TestArchive;
  /** Opens a path or an address in Chromium; fails if the page has an error or violates its policy. */
  open<Seen>(path: string, look: (page: Page) => Promise<Seen>, options?: VisitOptions): Promise<Seen>;
}

/**
 * Defines tests of the pages of a bundle in Chromium.
 *
 * @param options of the suite; one that opens no page does not need a browser
 * @param bundle the name of a shared, read-only bundle; or a function that writes one into a temporary folder
 */
export function describeSite(
  name: string,
  bundle: SharedBundle | (() => Promise<string>),
  body: (site: Site) => void,
  options: SuiteOptions = needs('browser'),
): void {
  describe(name, options, () => {
    let archive: TestArchive;
    let browser: Promise<Browser> | undefined;
    beforeAll(async () => {
      const port = await freePort();
      const settings = {
        PORT: String(port),
        BASE_URL: `http://127.0.0.1:${port}`,
        MEDIA_DIR: SAMPLE_MEDIA,
      };
      if (typeof bundle === 'string') {
        archive = await startShared(bundle, 'sqlite', settings);
        return;
      }
      const folder = await bundle();
      archive = await startApi({ engine: 'sqlite', bundle: folder, settings });
      await rm(folder, { recursive: true });
    });
    afterAll(async () => {
      await (await browser)?.close();
      await archive?.stop();
    });
    body({
      archive: () => archive,
      async open(path, look, options) {
        browser ??= startChromium();
        return visit(await browser, new URL(path, archive.origin).href, look, options);
      },
    });
  });
}
