/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Results of passed checks are left out: collecting them takes longer than the checks. */
const AXE_OPTIONS: RunOptions = {
  rules: { 'target-size': { enabled: true } },
  resultTypes: ['violations'],
  preload: false,
};

/** Violations of WCAG 2.2 AA, or of good practice, in a page in the browser, after all transitions have ended. */
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
