import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TURBO = fileURLToPath(new URL('../../node_modules/.bin/turbo', import.meta.url));

/**
 * Builds what changed before any test runs, whichever are run and however: tests start the programs, and packages
 * import each other, as they are built.
 *
 * @throws Error with what the compiler says when something does not build
 */
export function setup(project: TestProject): void {
  build();
  project.onTestsRerun(async () => build());
}

function build(): void {
  const arguments_ = ['run', 'build', '--output-logs=errors-only'];
  const { status, stdout } = spawnSync(TURBO, arguments_, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`what is to be tested does not build:\n${stdout}`);
}
