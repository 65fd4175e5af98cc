import { rm } from 'node:fs/promises';
import type { Language } from '@archiefkast/types';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, type SuiteOptions } from 'vitest';
import { ITSELF, startApi, startShared, type TestArchive } from './api-server.ts';
import { startChromium, type VisitOptions, visit } from './chromium.ts';
import { needs } from './programs.ts';
import { SAMPLE_MEDIA } from './sample.ts';
import type { SharedBundle } from './shared-archives.ts';

/** A query for a person of the sample. */
export const BEECKMAN = 'last_name:Beeckman kind:person';

/** An archive with pages for a browser: its links lead to the server itself. */
export interface Site {
  archive(): TestArchive;
  /** The path of the page of the first record that a query finds. */
  pathOf(query: string, language?: Language): Promise<string>;
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
      const settings = { BASE_URL: ITSELF, MEDIA_DIR: SAMPLE_MEDIA };
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
      async pathOf(query, language = 'en') {
        const response = await archive.fetch(`/${language}/api/search?q=${encodeURIComponent(query)}`);
        const page = (await response.json()) as { results: { instance: { url: string } }[] };
        return new URL(page.results[0]?.instance.url ?? '').pathname;
      },
      async open(path, look, options) {
        browser ??= startChromium();
        return visit(await browser, new URL(path, archive.origin).href, look, options);
      },
    });
  });
}
