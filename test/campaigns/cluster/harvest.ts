import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { startCli } from '../../faults/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FILES = KINDS.flatMap((kind) => ['jsonl', 'csv'].map((form) => `${COLLECTIONS[kind]}.${form}`));

/** The exit code of a harvest, and the files it wrote. */
export interface Harvested {
  code: number | null;
  stderr: string;
  files: ReadonlyMap<string, Buffer>;
}

/** Harvests a whole archive with archive-cli. */
export async function harvest(baseUrl: string, more: readonly string[] = []): Promise<Harvested> {
  const folder = await temporaryFolder();
  try {
    const command = ['harvest', '--base-url', baseUrl, '--out', folder, '--format', 'jsonl,csv', ...more];
    const { code, stderr } = await startCli(command).ended;
    const files = new Map<string, Buffer>();
    if (code === 0) for (const name of FILES) files.set(name, await readFile(join(folder, name)));
    return { code, stderr, files };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
