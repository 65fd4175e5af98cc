import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SummaryReporter } from './test/support/summary-reporter.ts';

const ASSETS_FIRST = fileURLToPath(new URL('packages/site/testing/assets-first.ts', import.meta.url));
const NOT_OURS = ['**/node_modules/**', '**/dist/**'];

/** Packages import the sources of each other, not their builds. The others are the defaults of Vite. */
const FROM_SOURCE = { conditions: ['@archiefkast/source', 'module', 'node', 'development|production'] };

/** The tests of one workspace, which need neither a build nor programs. */
const workspace = (name: string, root: string, more = {}) => ({
  extends: true as const,
  ssr: { resolve: FROM_SOURCE },
  // As the build does: pages have no jsx-dev-runtime.
  oxc: { jsx: { development: false } },
  test: { name, root, include: ['**/*.test.ts'], exclude: NOT_OURS, ...more },
});

/** Starts the tests that take longest first: without times of an earlier run, Vitest starts long files first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => Number(moduleId.includes('/test/golden/'));
    return sorted.sort((one, other) => isLong(other) - isLong(one));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Most tests wait for programs that they started, so one worker per core would leave cores idle.
    maxWorkers: availableParallelism() + 1,
    // A process per file would load the same packages again for each, which takes a quarter of the total time.
    isolate: false,
    reporters: ['default', new SummaryReporter()],
    tags: [{ name: 'programs', description: 'Needs more than a bare machine and a database server' }],
    projects: [
      workspace('types', 'packages/types'),
      workspace('system', 'packages/system'),
      workspace('formats', 'packages/formats'),
      workspace('bundle', 'packages/bundle'),
      workspace('import', 'packages/import'),
      workspace('site', 'packages/site', { globalSetup: ASSETS_FIRST }),
      workspace('ask', 'packages/ask'),
      workspace('client', 'packages/client'),
      workspace('api', 'apps/api', { globalSetup: ASSETS_FIRST }),
      workspace('cli', 'apps/cli'),
      {
        extends: true,
        test: {
          name: 'test',
          root: 'test',
          include: ['**/*.test.ts'],
          exclude: [...NOT_OURS, 'campaigns/*/**'],
          globalSetup: 'support/global-setup.ts',
          setupFiles: 'support/setup.ts',
          provide: { engines: ['sqlite', 'mysql'] },
        },
      },
      'test/campaigns/vitest.pr.config.ts',
      'test/campaigns/vitest.nightly.config.ts',
    ],
  },
});
