import type { Reporter, TestCase, TestModule, TestRunEndReason, TestSuite } from 'vitest/node';
import { describeNeeds, howToGet, type Need, readNeeds } from './programs.ts';
import { type Traces, watchTraces } from './traces.ts';

/** Tests that were skipped because this machine lacks one of their needs. */
export interface LeftOut {
  missing: readonly Need[];
  /** Their number, by suite: "the pages of an archive". */
  tests: ReadonlyMap<string, number>;
}

/** The result of a run. */
export interface Summary {
  passed: number;
  failed: number;
  skipped: number;
  leftOut: readonly LeftOut[];
}

/** The last lines of a run: skipped tests and why, then the totals, for people and scripts. */
export function describeSummary({ passed, failed, skipped, leftOut }: Summary): string {
  const count = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
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
  readonly #mayLeaveTraces: boolean;
  #traces: Traces | undefined;
  #needs: readonly Need[] = [];

  /** @param options.mayLeaveTraces for tests that kill programs at any moment */
  constructor({ mayLeaveTraces = false } = {}) {
    this.#mayLeaveTraces = mayLeaveTraces;
  }

  async onInit(): Promise<void> {
    this.#needs = await readNeeds();
    this.#traces ??= watchTraces({ changes: Boolean(process.env['CI']) });
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly unknown[],
    reason: TestRunEndReason,
  ): void {
    const summary = { ...countTests(modules), leftOut: findLeftOut(modules, this.#needs) };
    summary.failed += unhandledErrors.length;
    // On CI, a missing need must be optional.
    if (process.env['CI']) summary.failed += summary.skipped - countLeftOut(summary.leftOut);
    // If the set-up fails, no single test has failed.
    if (reason === 'failed' && summary.failed === 0) summary.failed = 1;
    // Printed last, after all output of the teardown.
    process.once('exit', () => {
      const left = this.#traces?.end() ?? [];
      const traces = this.#mayLeaveTraces ? [] : left;
      if (traces.length > 0) process.exitCode = 1;
      summary.failed += traces.length;
      process.stdout.write(traces.map((trace) => `FAILED: ${trace}\n`).join('') + describeSummary(summary));
    });
  }
}

/** Counts tests; an error in a file or suite outside its tests counts as one more failure. */
function countTests(modules: readonly TestModule[]): Pick<Summary, 'passed' | 'failed' | 'skipped'> {
  const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  for (const module of modules) {
    for (const test of module.children.allTests()) counts[test.result().state] += 1;
    const suites: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
    counts.failed += suites.filter((suite) => suite.errors().length > 0).length;
  }
  const { pending, ...rest } = counts;
  return { ...rest, failed: rest.failed + pending };
}

function countLeftOut(leftOut: readonly LeftOut[]): number {
  return leftOut.reduce((sum, { tests }) => sum + tests.values().reduce((all, one) => all + one, 0), 0);
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
