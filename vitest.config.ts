import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SummaryReporter } from './test/support/summary-reporter.ts';

/** One project per workspace, so that one run gives one count. */
const project = (name: string, root: string, more = {}) => ({
  extends: true as const,
  test: { name, root, include: ['**/*.test.ts'], exclude: ['**/node_modules/**', '**/dist/**'], ...more },
});

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Most tests wait for programs that they started: on two cores, one at a time would waste one.
    maxWorkers: Math.max(2, availableParallelism()),
    reporters: ['default', new SummaryReporter()],
    projects: [
      project('types', 'packages/types'),
      project('client', 'packages/client'),
      project('api', 'apps/api'),
      project('cli', 'apps/cli'),
      project('test', 'test', { globalSetup: 'support/global-setup.ts', setupFiles: 'support/setup.ts' }),
    ],
  },
});
