/// <reference lib="dom" />
import { expect, test } from 'vitest';
import { publishHere, runApiHere } from '../../support/api-here.ts';
import { settingsFor } from '../../support/api-process.ts';
import { ITSELF, serveDatabase } from '../../support/api-server.ts';
import { startChromium } from '../../support/chromium.ts';
import { needs } from '../../support/programs.ts';
import { SAMPLE, SAMPLE_MEDIA } from '../../support/sample.ts';
import { createTestDatabase } from '../../support/test-database.ts';

/** Links that a reader follows one after the other: a list, its first record, a search, its first hit, the other language. */
const WAY = [
  '.site-header a[href*="personen"]',
  'main .cards a, main li a',
  '.site-header a[href*="zoeken"]',
];

test('a reader of a preview stays in it, and nothing is stored', needs('browser'), async () => {
  const database = await createTestDatabase('sqlite');
  await publishHere(database, SAMPLE);
  const server = await serveDatabase(database, { BASE_URL: ITSELF, MEDIA_DIR: SAMPLE_MEDIA });
  const settings = settingsFor(database, { BASE_URL: server.origin });
  const held = await runApiHere(['publish', SAMPLE, '--force', '--hold'], settings);
  const [, address = ''] = /^Preview: (\S+)$/m.exec(held.stdout) ?? [];
  expect(address.startsWith(`${server.origin}/preview/`)).toBe(true);
  const base = address.replace(/en\/$/, '');
  const browser = await startChromium();
  try {
    const page = await browser.newPage();
    const asked: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(address);
    for (const link of WAY) {
      await page.locator(link).first().click();
      await page.waitForLoadState();
      expect(page.url().startsWith(base), page.url()).toBe(true);
      expect(await page.locator('.preview').textContent()).toBe(
        'Preview of an edition that is not published yet.',
      );
    }
    await page.locator('input[name="q"]').first().fill('huygens');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.search.includes('huygens'));
    expect(await page.locator('main a').count()).toBeGreaterThan(3);
    expect(asked.filter((url) => !url.startsWith(base))).toEqual([]);
    expect(faults).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  } finally {
    await browser.close();
    await server.stop();
  }
});
