import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A test, or the tests of a file (`{ onTestFinished: endAtLast }`), after which resources are cleaned up. */
export interface Lifetime {
  onTestFinished: (end: () => Promise<void>) => unknown;
}

/** Creates a folder that is removed after the test. */
export async function temporaryFolder({ onTestFinished }: Lifetime): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-faults-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
