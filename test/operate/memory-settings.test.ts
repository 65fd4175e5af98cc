import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { serveDatabase } from '../support/api-server.ts';
import { childrenOf } from '../support/memory.ts';
import { sharedDatabase } from '../support/test-database.ts';

/** The settings of memory of a process and of its children. */
async function settingsOf(pid: number): Promise<string[][]> {
  return await Promise.all(
    [pid, ...childrenOf(pid)].map(async (each) => {
      const environment = await readFile(`/proc/${each}/environ`, 'utf8');
      const command = await readFile(`/proc/${each}/cmdline`, 'utf8');
      return [
        ...(environment.match(/\bMALLOC_\w+=\w+/g)?.sort() ?? []),
        ...(command.match(/--(?:max-semi-space-size|heap-growing-percent)=\d+/g) ?? []),
      ];
    }),
  );
}

const SETTINGS = [
  'MALLOC_ARENA_MAX=2',
  'MALLOC_MMAP_THRESHOLD_=65536',
  'MALLOC_TRIM_THRESHOLD_=131072',
  '--max-semi-space-size=32',
  '--heap-growing-percent=100',
];

describe.runIf(process.platform === 'linux')('the settings of memory', () => {
  const serve = async (args: readonly string[], settings = {}) => {
    const database = await sharedDatabase('fixture', 'sqlite');
    return (await serveDatabase(database, settings, { args, until: '/ready' })).process;
  };

  test('are made for a server, which is the process that was started, without a warning', async () => {
    const { pid, stderr } = await serve([], { MALLOC_ARENA_MAX: '1' });
    // Those of the environment are left as they are.
    expect(await settingsOf(pid)).toEqual([['MALLOC_ARENA_MAX=1', ...SETTINGS.slice(1)]]);
    expect(stderr()).not.toContain('arning');
  });
});
