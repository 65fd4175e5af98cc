import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAtLast } from './leftovers.ts';

/** Creates a folder that is removed after the tests of this file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'archive-tests-'));
  endAtLast(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
