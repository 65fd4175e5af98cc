import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TURBO = fileURLToPath(new URL('../../node_modules/.bin/turbo', import.meta.url));

/**
 * Builds what changed before any test runs: tests start the built programs, and packages import each other's builds.
 *
 * @throws Error with the output of the compiler if the build fails
 */
export function setup(project: TestProject): void {
  build();
  project.onTestsRerun(async () => build());
}

function build(): void {
  const arguments_ = ['run', 'build', '--output-logs=errors-only'];
  const { status, stdout } = spawnSync(TURBO, arguments_, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the build failed:\n${stdout}`);
}
