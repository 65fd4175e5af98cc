import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';

/** Makes a folder that is removed when the test is over. */
export async function temporaryFolder({
  onTestFinished,
}: Pick<TestContext, 'onTestFinished'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-faults-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
