import type { Reporter, TestModule, TestRunEndReason, TestSuite } from 'vitest/node';
import { HOW_TO_GET_REAL_ARCHIVE } from '../../apps/api/testing/real-archive.ts';
import { HOW_TO_GET_MYSQL } from './mysql-server.ts';

/** What a run came to. */
export interface Summary {
  passed: number;
  failed: number;
  skipped: number;
  /** Whether the tests that need MySQL were left out. */
  withoutMysql: boolean;
  /** The Debian packages that are not installed, whose tests were left out. */
  missingPackages: readonly string[];
  /** Whether the tests on a real archive were left out. */
  withoutRealArchive: boolean;
}

/** The last lines of a run: what was not run, and why; then the count, for people and scripts alike. */
export function describeSummary({ passed, failed, skipped, ...without }: Summary): string {
  const { withoutMysql, missingPackages, withoutRealArchive } = without;
  const count = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  const notRun = [
    ...(withoutMysql
      ? [
          'NOT RUN: the MySQL/MariaDB half of the tests. No server was found, so everything ran on SQLite alone.',
          HOW_TO_GET_MYSQL,
        ]
      : []),
    ...(missingPackages.length > 0
      ? [
          `NOT RUN: the tests with ${missingPackages.join(' and ')}. Not installed.`,
          `Install them (Debian: apt-get install ${missingPackages.join(' ')}): the tests start them by themselves.`,
        ]
      : []),
    ...(withoutRealArchive
      ? [
          'NOT RUN: the searches in the archive of Amsterdam, as readers would want them.',
          HOW_TO_GET_REAL_ARCHIVE,
        ]
      : []),
  ];
  if (notRun.length === 0) return `${count}\n`;
  const rule = '!'.repeat(100);
  return [rule, ...notRun, rule, `${count}\n`].join('\n');
}

/** Ends the output of a run with its summary. */
export class SummaryReporter implements Reporter {
  onTestRunEnd(
    modules: readonly TestModule[],
    unhandledErrors: readonly unknown[],
    reason: TestRunEndReason,
  ): void {
    const contexts = modules.map(({ project }) => project.getProvidedContext());
    const summary = {
      ...countTests(modules),
      withoutMysql: contexts.some(({ mysqlUrl }) => mysqlUrl === null),
      missingPackages: [...new Set(contexts.flatMap(({ missingPackages }) => missingPackages ?? []))],
      withoutRealArchive: contexts.some(({ realArchive }) => realArchive === null),
    };
    summary.failed += unhandledErrors.length;
    // A run whose set-up fails has no test that failed.
    if (reason === 'failed' && summary.failed === 0) summary.failed = 1;
    // Whatever else is printed while the run is torn down comes before this.
    process.once('exit', () => process.stdout.write(describeSummary(summary)));
  }
}

/** Counts tests; a file or suite that breaks outside its tests counts as one more that failed. */
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
