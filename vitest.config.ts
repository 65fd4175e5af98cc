import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './test/support/summary-reporter.ts';

const NOT_OURS = ['**/node_modules/**', '**/dist/**'];

/** One project per workspace, so that one run gives one total. */
const project = (name: string, root: string, more = {}) => ({
  extends: true as const,
  test: { name, root, include: ['**/*.test.ts'], exclude: NOT_OURS, ...more },
});

export default defineConfig({
  test: {
    globalSetup: ['test/support/build-first.ts', 'test/support/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Most tests wait for programs that they started, so one worker per core would leave cores idle.
    maxWorkers: availableParallelism() + 1,
    // A process per file would load the same packages again for each, which takes a quarter of the total time.
    isolate: false,
    reporters: ['default', new SummaryReporter()],
    projects: [
      project('types', 'packages/types'),
      project('system', 'packages/system'),
      project('formats', 'packages/formats'),
      project('site', 'packages/site'),
      project('client', 'packages/client'),
      project('api', 'apps/api'),
      project('cli', 'apps/cli'),
      project('test', 'test', {
        setupFiles: 'support/setup.ts',
        exclude: [...NOT_OURS, 'campaigns/*/**'],
      }),
    ],
  },
});
