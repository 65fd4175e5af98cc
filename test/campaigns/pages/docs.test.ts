/// <reference lib="dom" />
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { faultsOfHtml } from '../../support/html-checks.ts';
import { barriersOf } from '../../support/page-checks.ts';
import { needs, placeOf } from '../../support/programs.ts';
import { describeSite } from '../../support/site-archive.ts';
import { getJson } from '../../support/walk.ts';

const run = promisify(execFile);

/** The results of a search, on one page. */
interface Found {
  count: number;
  results: { type: string; instance: Readonly<Record<string, string>> }[];
}

describeSite('the documentation', 'sample', ({ archive, open }) => {
  const formOf = (page: Page, template: string) => page.locator(`form[data-template="${template}"]`);
  const unfold = (page: Page) =>
    page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
  const PAGES = ['/en/docs', '/problems/invalid-query', '/problems/internal-error'];

  test.each(PAGES)('%s is valid HTML', async (path) => {
    expect(await faultsOfHtml(await (await archive().fetch(path)).text())).toEqual([]);
  });

  // axe checks every element of a long page, which is slow on a busy machine.
  test.each([
    ['/en/docs', 390, 'light'],
    ['/en/docs', 1600, 'dark'],
    ['/problems/invalid-query', 1600, 'light'],
    ['/problems/internal-error', 390, 'dark'],
  ] as const)('%s is accessible at %i pixels, %s', { timeout: 120_000 }, async (path, width, colorScheme) => {
    const look = async (page: Page) => {
      if (width < 500) await unfold(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      expect(await barriersOf(page)).toEqual([]);
    };
    await open(path, look, { viewport: { width, height: 900 }, colorScheme });
  });

  const code = (name: string) =>
    open('/en/docs', (page) => page.locator(`#start code[data-language="${name}"]`).innerText());

  test('its code runs unchanged', needs('curl'), async () => {
    const { stdout: answer } = await run('sh', ['-c', await code('shell')]);
    const { count, results }: Found = JSON.parse(answer);
    expect(count).toBe(results.length);
    const { stdout: lines } = await run(process.execPath, [
      '--input-type=module',
      '-e',
      await code('javascript'),
    ]);
    expect(lines).toBe(linesOf(results));
  });

  test('its Python runs', needs('python3'), async () => {
    const python = placeOf('python3');
    const address = /^next_page = "(.*)"$/m.exec(await code('python'))?.[1] ?? '';
    const { results } = await getJson<Found>(archive(), address);
    expect(results).not.toEqual([]);
    const { stdout } = await run(python, ['-c', await code('python')]);
    expect(stdout).toBe(linesOf(results));
  });

  test('every query and record in it succeeds', async () => {
    const links = await open('/en/docs', (page) =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLAnchorElement>('#query a, .links a')].map(({ href }) => href),
      ),
    );
    expect(links.length).toBeGreaterThan(12);
    for (const link of links) {
      const answer = await getJson<{ count?: number; id?: number }>(archive(), link);
      expect(answer.count ?? answer.id, link).toBeGreaterThan(0);
    }
  });

  test('a form shows the response below it, and the outcome in words and colour', async () => {
    await open('/en/docs#lang-api-search', async (page) => {
      const form = formOf(page, '/{lang}/api/search');
      const ask = async (q: string) => {
        await form.locator('[name="q"]').fill(q);
        await form.locator('button[type="submit"]').click();
        await page.waitForFunction(() => document.querySelector('#lang-api-search .outcome[class*=" s"]'));
        const outcome = form.locator('.outcome');
        return {
          words: await outcome.innerText(),
          colour: await outcome.evaluate((element) => getComputedStyle(element).color),
          body: await form.locator('.body').inputValue(),
        };
      };
      const found = await ask('kind:person huygens');
      expect(found.words).toMatch(/^200 OK · application\/json · \d+ ms$/);
      expect(JSON.parse(found.body)).toMatchObject({ language: 'en', next: null });
      expect(await form.locator('.code code').innerText()).toBe(
        `curl '${archive().origin}/en/api/search?q=kind:person%20huygens'`,
      );
      await form.locator('[name="q"]').fill('');
      const response = page.waitForResponse(/\/search$/);
      await form.locator('button[type="submit"]').click();
      expect((await response).status()).toBe(200);
    });
  });

  test('a uuid can be changed, and the error for an unknown one is shown below the form', async () => {
    const look = async (page: Page) => {
      const form = formOf(page, '/{lang}/api/persons/{uuid}');
      await form.locator('[name="uuid"]').fill('00000000-0000-4000-8000-000000000000');
      await form.locator('button[type="submit"]').click();
      await page.waitForSelector('#lang-api-persons-uuid .outcome.s4');
      expect(await form.locator('.outcome').innerText()).toMatch(/^404 Not Found/);
    };
    // The browser logs the response as an error.
    await expect(open('/en/docs#lang-api-persons-uuid', look)).rejects.toThrow(/status of 404/);
  });

  test('without scripts the forms lead to the responses', async () => {
    const look = async (page: Page) => {
      expect(await page.locator('.copy:visible').count()).toBe(0);
      const form = formOf(page, '/{lang}/api/suggest');
      await page.locator('#lang-api-suggest summary').click();
      await form.locator('[name="field"]').selectOption('city');
      await form.locator('[name="prefix"]').fill('lei');
      await form.locator('button[type="submit"]').click();
      expect(JSON.parse(await page.locator('pre').innerText())).toMatchObject({
        field: 'city',
        prefix: 'lei',
      });
    };
    await open('/en/docs', look, { javaScriptEnabled: false });
  });
});

/** The output of the examples for hits. */
function linesOf(results: Found['results']): string {
  return results
    .map(({ type, instance }) => `${type} ${instance['title'] ?? instance['name']} ${instance['url']}\n`)
    .join('');
}
