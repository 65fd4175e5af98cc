/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Of what is as it should be nothing is told: that takes longer than to find it. */
const AXE_OPTIONS: RunOptions = {
  rules: { 'target-size': { enabled: true } },
  resultTypes: ['violations'],
  preload: false,
};

/** What breaks WCAG 2.2 AA, or good practice, in a page as it stands in the browser, once nothing on it moves or fades any more. */
export async function barriersOf(page: Page): Promise<string[]> {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const { violations }: AxeResults = await page.evaluate(`axe.run(${JSON.stringify(AXE_OPTIONS)})`);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 3).map(({ target, html }) => `${id}: ${help} (${target.join(' ')}) ${html.slice(0, 100)}`),
  );
}
