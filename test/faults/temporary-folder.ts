import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A test, or the tests of a file (`{ onTestFinished: afterAll }`): when it is over, what it needed is ended. */
export interface Lifetime {
  onTestFinished: (end: () => Promise<void>) => unknown;
}

/** Makes a folder that is removed when the test is over. */
export async function temporaryFolder({ onTestFinished }: Lifetime): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-faults-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
