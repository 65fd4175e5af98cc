import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase, TestModule, TestRunEndReason, TestSuite, Vitest } from 'vitest/node';
import { describeNeed, howToGet, type Need, readNeeds } from './programs.ts';
import { type Traces, watchTraces } from './traces.ts';

const CAMPAIGNS = fileURLToPath(new URL('../campaigns/', import.meta.url));

/** The result of a run. */
export interface Summary {
  passed: number;
  /** What failed, by name: tests, files and suites outside their tests, traces. */
  failures: string[];
  skipped: number;
  /** The needs that this machine lacks, and how many tests each left out. */
  leftOut: Map<Need, number>;
}

/** The last lines of a run: what was left out and why, what failed, then the totals, for people and scripts. */
export function describeSummary({ passed, failures, skipped, leftOut }: Summary): string {
  const notRun = [...leftOut].flatMap(([need, tests]) => [
    `NOT RUN: ${tests} ${tests === 1 ? 'test that needs' : 'tests that need'} ${describeNeed(need.name)}:`,
    ...howToGet(need),
  ]);
  const rule = leftOut.size > 0 ? ['!'.repeat(100)] : [];
  const failed = failures.map((failure) => `FAILED: ${failure}`);
  const count = `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
  return [...rule, ...notRun, ...rule, ...failed, count].join('\n');
}

/** Ends the output of a run with its summary. Files that tests left behind count as failures, or are only removed. */
export class SummaryReporter implements Reporter {
  #traces: Traces | undefined;
  #needs: readonly Need[] = [];
  /** Whether only tests with a tag are run. */
  #isTagged = false;

  async onInit(vitest: Vitest): Promise<void> {
    this.#isTagged = vitest.config.tagsFilter !== undefined;
    this.#needs = await readNeeds();
    this.#traces ??= watchTraces({ changes: Boolean(process.env['CI']) });
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly { message: string }[],
    reason: TestRunEndReason,
  ): void {
    const summary: Summary = { passed: 0, failures: [], skipped: 0, leftOut: new Map() };
    for (const module of modules) this.#count(module, summary);
    const { failures, leftOut } = summary;
    failures.push(...unhandledErrors.map(({ message }) => `an error outside the tests: ${message}`));
    for (const { name, optional } of process.env['CI'] ? leftOut.keys() : [])
      if (!optional) failures.push(`tests were not run that need ${describeNeed(name)}`);
    // If the set-up fails, no single test has failed.
    if (reason === 'failed' && failures.length === 0) failures.push('the set-up');
    // Campaigns kill programs at any moment.
    const mayLeaveTraces = modules.some(({ moduleId }) => moduleId.startsWith(CAMPAIGNS));
    // Printed last, after all output of the teardown.
    process.once('exit', () => {
      const traces = this.#traces?.end() ?? [];
      if (!mayLeaveTraces) failures.push(...traces);
      if (failures.length > 0) process.exitCode = 1;
      process.stdout.write(describeSummary(summary));
    });
  }

  /** Adds the tests of a file; an error in it outside its tests counts as one more failure. */
  #count(module: TestModule, summary: Summary): void {
    const { failures, leftOut } = summary;
    const found = module.project.getProvidedContext().found ?? {};
    for (const test of module.children.allTests()) {
      if (this.#isTagged && test.tags.length === 0) continue;
      const { state } = test.result();
      if (state === 'passed') summary.passed += 1;
      else if (state !== 'skipped') failures.push(`${module.relativeModuleId} > ${test.fullName}`);
      else {
        summary.skipped += 1;
        const needed = needsOf(test);
        const missing = this.#needs.filter(({ name }) => needed.includes(name) && !(name in found));
        for (const need of missing) leftOut.set(need, (leftOut.get(need) ?? 0) + 1);
        if (process.env['CI'] && missing.length === 0) failures.push('a test was skipped that needs nothing');
      }
    }
    if (module.errors().length > 0) failures.push(module.relativeModuleId);
    for (const suite of module.children.allSuites())
      if (suite.errors().length > 0) failures.push(`${module.relativeModuleId} > ${suite.fullName}`);
  }
}

/** The needs of a test and of the suites around it. */
function needsOf(test: TestCase): readonly string[] {
  const needed: string[] = [];
  for (let holder: TestCase | TestSuite | TestModule = test; holder.type !== 'module'; holder = holder.parent)
    needed.push(...(holder.meta().needs ?? []));
  return needed;
}
