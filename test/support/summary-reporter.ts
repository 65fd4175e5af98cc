import { fileURLToPath } from 'node:url';
import type { Reporter, TestCase, TestModule, TestRunEndReason, TestSuite, Vitest } from 'vitest/node';
import { describeNeeds, howToGet, type Need, readNeeds } from './programs.ts';
import { type Traces, watchTraces } from './traces.ts';

const CAMPAIGNS = fileURLToPath(new URL('../campaigns/', import.meta.url));

/** Tests that were skipped because this machine lacks one of their needs. */
export interface LeftOut {
  missing: readonly Need[];
  /** Their number, by suite: "the pages of an archive". */
  tests: ReadonlyMap<string, number>;
}

/** The result of a run. */
export interface Summary {
  passed: number;
  /** What failed, by name: tests, files and suites outside their tests, traces. */
  failures: readonly string[];
  skipped: number;
  leftOut: readonly LeftOut[];
}

/** The last lines of a run: skipped tests and why, what failed, then the totals, for people and scripts. */
export function describeSummary({ passed, failures, skipped, leftOut }: Summary): string {
  const failed = failures.map((failure) => `FAILED: ${failure}\n`).join('');
  const count = `${failed}${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
  if (leftOut.length === 0) return count;
  const notRun = leftOut.flatMap(({ missing, tests }) => {
    const total = tests.values().reduce((sum, one) => sum + one, 0);
    const names = [...tests].map(([name, number]) => (number === 1 ? name : `${name} (${number})`));
    return [
      `NOT RUN: ${total} ${total === 1 ? 'test that needs' : 'tests that need'} ${describeNeeds(missing.map(({ name }) => name))}:`,
      ...names.map((name) => `  ${name}`),
      ...howToGet(missing),
    ];
  });
  const rule = '!'.repeat(100);
  return [rule, ...notRun, rule, count].join('\n');
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
    const leftOut = findLeftOut(modules, this.#needs);
    const { failures, ...counts } = countTests(modules, (test) => !this.#isTagged || test.tags.length > 0);
    failures.push(...unhandledErrors.map(({ message }) => `an error outside the tests: ${message}`));
    if (process.env['CI']) {
      const skipped = counts.skipped - countLeftOut(leftOut);
      failures.push(
        ...listRequired(leftOut),
        ...Array<string>(skipped).fill('a test was skipped that needs nothing'),
      );
    }
    // If the set-up fails, no single test has failed.
    if (reason === 'failed' && failures.length === 0) failures.push('the set-up');
    // Campaigns kill programs at any moment.
    const mayLeaveTraces = modules.some(({ moduleId }) => moduleId.startsWith(CAMPAIGNS));
    // Printed last, after all output of the teardown.
    process.once('exit', () => {
      const traces = this.#traces?.end() ?? [];
      if (!mayLeaveTraces) failures.push(...traces);
      if (failures.length > 0) process.exitCode = 1;
      process.stdout.write(describeSummary({ ...counts, failures, leftOut }));
    });
  }
}

/** Counts chosen tests; an error in a file or suite outside its tests counts as one more failure. */
function countTests(
  modules: readonly TestModule[],
  isChosen: (test: TestCase) => boolean,
): Omit<Summary, 'leftOut' | 'failures'> & { failures: string[] } {
  const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  const failures: string[] = [];
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      if (!isChosen(test)) continue;
      const { state } = test.result();
      counts[state] += 1;
      if (state === 'failed' || state === 'pending')
        failures.push(`${module.relativeModuleId} > ${test.fullName}`);
    }
    if (module.errors().length > 0) failures.push(module.relativeModuleId);
    for (const suite of module.children.allSuites()) {
      if (suite.errors().length > 0) failures.push(`${module.relativeModuleId} > ${suite.fullName}`);
    }
  }
  return { passed: counts.passed, skipped: counts.skipped, failures };
}

function countLeftOut(leftOut: readonly LeftOut[]): number {
  return leftOut.reduce((sum, { tests }) => sum + tests.values().reduce((all, one) => all + one, 0), 0);
}

/** The missing needs that are not optional. */
function listRequired(leftOut: readonly LeftOut[]): string[] {
  const required = leftOut.flatMap(({ missing }) => missing).filter(({ optional }) => !optional);
  return [...new Set(required.map(({ name }) => `tests were not run that need ${describeNeeds([name])}`))];
}

/** The skipped tests, by missing need. */
function findLeftOut(modules: readonly TestModule[], needs: readonly Need[]): LeftOut[] {
  const groups = new Map<string, { missing: Need[]; tests: Map<string, number> }>();
  for (const module of modules) {
    const found = module.project.getProvidedContext().found ?? {};
    for (const test of module.children.allTests()) {
      const { name, needed } = whatNeeds(test);
      const missing = needs.filter((need) => needed.has(need.name) && !(need.name in found));
      if (missing.length === 0) continue;
      const key = missing.map((need) => need.name).join(' ');
      const group = groups.get(key) ?? { missing, tests: new Map<string, number>() };
      groups.set(key, group);
      group.tests.set(name, (group.tests.get(name) ?? 0) + 1);
    }
  }
  return [...groups.values()];
}

/** The needs of a test and the suites around it, and the outermost suite with needs. */
function whatNeeds(test: TestCase): { name: string; needed: ReadonlySet<string> } {
  const needed = new Set<string>();
  let name = test.fullName;
  let holder: TestCase | TestSuite | TestModule = test;
  while (holder.type !== 'module') {
    const own = holder.meta().needs ?? [];
    if (own.length > 0) name = holder.fullName;
    for (const need of own) needed.add(need);
    holder = holder.parent;
  }
  return { name, needed };
}
