import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SummaryReporter } from '../support/summary-reporter.ts';

/** Campaigns run one at a time, because they measure. */
export default defineConfig({
  test: {
    name: 'campaigns',
    root: fileURLToPath(new URL('..', import.meta.url)),
    include: ['campaigns/*/**/*.test.ts'],
    globalSetup: ['support/build-first.ts', 'support/global-setup.ts'],
    setupFiles: 'support/setup.ts',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['verbose', new SummaryReporter({ mayLeaveTraces: true })],
  },
});
