/// <reference lib="dom" />
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { faultsOfHtml } from '../../support/html-checks.ts';
import type { OpenApi } from '../../support/openapi-validator.ts';
import { barriersOf } from '../../support/page-checks.ts';
import { needs, placeOf } from '../../support/programs.ts';
import { describeSite } from '../../support/site-archive.ts';
import { getJson } from '../../support/walk.ts';

const run = promisify(execFile);

/** The results of a search, on one page. */
interface Found {
  count: number;
  next: string | null;
  results: { type: string; instance: Readonly<Record<string, string>> }[];
}

describeSite('the documentation', 'sample', ({ archive, open }) => {
  test.each(['/en/docs', '/problems/invalid-query', '/problems/internal-error'])(
    '%s is valid HTML',
    async (path) => {
      expect(await faultsOfHtml(await (await archive().fetch(path)).text())).toEqual([]);
    },
  );

  test.each([
    ['/en/docs', 390, 'light'],
    ['/en/docs', 1600, 'dark'],
    ['/problems/invalid-query', 1600, 'light'],
    ['/problems/internal-error', 390, 'dark'],
  ] as const)('%s is accessible at %i pixels, %s', async (path, width, colorScheme) => {
    const look = async (page: Page) => expect(await barriersOf(page)).toEqual([]);
    await open(path, look, { viewport: { width, height: 900 }, colorScheme });
  });

  /** The code of an example in the description of the OpenAPI document. */
  const code = async (language: string) => {
    const { info } = await getJson<OpenApi & { info: { description: string } }>(archive(), '/openapi.json');
    return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(info.description)?.[1] ?? '';
  };

  test('its code runs unchanged', needs('curl'), async () => {
    const { stdout: answer } = await run('sh', ['-c', await code('shell')]);
    const first: Found = JSON.parse(answer);
    const lines = linesOf(await readAll(first));
    expect(lines.split('\n')).toHaveLength(first.count + 1);
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', await code('javascript')]);
    expect(stdout).toBe(lines);
  });

  test('its Python runs', needs('python3'), async () => {
    const first = await getJson<Found>(archive(), '/en/api/search?q=kind:person');
    const { stdout } = await run(placeOf('python3'), ['-c', await code('python')]);
    expect(stdout).toBe(linesOf(await readAll(first)));
  });

  async function readAll({ results, next }: Found): Promise<Found['results']> {
    return next === null ? results : [...results, ...(await readAll(await getJson<Found>(archive(), next)))];
  }

  test.each([
    [390, 'light'],
    [1600, 'dark'],
  ] as const)(
    'shows every endpoint, and requests nothing elsewhere, at %i pixels, %s',
    async (width, colorScheme) => {
      const { paths } = await getJson<OpenApi>(archive(), '/openapi.json');
      const look = async (page: Page) => {
        const asked: string[] = [];
        page.on('request', (request) => asked.push(request.url()));
        await page.reload({ waitUntil: 'networkidle' });
        const listed = await page.locator('.endpoints code').allInnerTexts();
        expect(listed.toSorted()).toEqual(Object.keys(paths).toSorted());
        expect(asked.filter((address) => address.includes('assets/docs'))).toEqual([]);
        await page.getByRole('button', { name: 'Show all parameters' }).click();
        await page.locator('.opblock').first().waitFor();
        const operations = Object.values(paths).flatMap((path) => Object.keys(path));
        expect(await page.locator('.opblock').count()).toBe(operations.length);
        expect(
          asked.filter((address) => !address.startsWith(archive().origin) && !address.startsWith('data:')),
        ).toEqual([]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
        expect(await barriersOf(page)).toEqual([]);
      };
      await open('/en/docs', look, { viewport: { width, height: 900 }, colorScheme });
    },
  );

  test('a form sends a request, and shows the response', async () => {
    await open('/en/docs#/Search/search', async (page) => {
      const search = page.locator('#operations-Search-search');
      await search.getByRole('button', { name: 'Try it out' }).click();
      await search.getByRole('button', { name: 'Execute' }).click();
      const response = search.locator('.live-responses-table .response').first();
      expect(await response.locator('.response-col_status').innerText()).toMatch(/^200/);
      expect(await response.locator('.highlight-code').first().innerText()).toContain('"language": "en"');
    });
  });

  test('without scripts it leads to the OpenAPI document', async () => {
    const look = async (page: Page) => {
      await page.getByRole('link', { name: 'openapi.json' }).click();
      expect(await page.locator('pre').innerText()).toContain('"openapi"');
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
