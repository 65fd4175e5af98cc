import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { namesOf } from '@archiefkast/command-line';
import { describe, expect, test } from 'vitest';
import { COMMANDS as API_COMMANDS } from '../../apps/api/dist/command-list.js';
import { COMMANDS as CLI_COMMANDS } from '../../apps/cli/dist/command-list.js';
import { temporaryFolder } from '../support/temporary-folder.ts';

const BIN = fileURLToPath(new URL('../../apps/archiefkast/bin/archiefkast.js', import.meta.url));
/** A folder with a table that no bundle has. */
const TABLES = await temporaryFolder();
await writeFile(join(TABLES, 'persons.csv'), 'uuid\n');
await writeFile(join(TABLES, 'people.csv'), 'name\nAnna\n');

const BUNDLE = fileURLToPath(new URL('../../apps/api/sample', import.meta.url));

/** Runs archiefkast; an exit code other than 0 is no error. */
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [BIN, ...args], { env: { PATH: process.env['PATH'] } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

describe('archiefkast', () => {
  test('lists every command of both programs, each by a name of its own, and the help of each is its own', async () => {
    const { stdout } = await run('--help');
    const listed = [...stdout.matchAll(/^ {2}archiefkast (\w+)/gm)].map(([, name]) => name);
    const all = [API_COMMANDS, CLI_COMMANDS].flatMap((commands) => namesOf(Object.keys(commands)));
    expect(listed).toEqual([...all, 'completion']);
    expect(new Set(listed).size).toBe(listed.length);
    for (const name of ['extract', 'export']) {
      const { code, stdout: help } = await run(name, '--help');
      expect({ code, help }).toEqual({
        code: 0,
        help: expect.stringMatching(RegExp(`^archiefkast ${name} `)),
      });
    }
  });

  test.each([
    [['check', BUNDLE], 0, 'stdout', 'No faults, '],
    [['stats', BUNDLE], 0, 'stdout', 'Records\n'],
    [['completion', 'bash'], 0, 'stdout', '###-begin-archiefkast-completions-###'],
    [['--get-yargs-completions', 'archiefkast', 'ext'], 0, 'stdout', 'extract\n'],
    [['check', TABLES], 1, 'stderr', 'or make tables of it with archiefkast import\n'],
    [['verify', 'no-such-folder'], 1, 'stderr', 'archiefkast: no-such-folder contains no harvest\n'],
    [['check', 'no-such-folder'], 1, 'stderr', 'archiefkast: '],
    [['publish'], 2, 'stderr', 'archiefkast: publish: expected <bundle> (see archiefkast --help)\n'],
    [
      ['harvest'],
      2,
      'stderr',
      'archiefkast: --out: expected the folder to write to (see archiefkast --help)\n',
    ],
    [[], 2, 'stderr', 'archiefkast: Missing command: expected publish, follow, serve, '],
    [
      ['harvst'],
      2,
      'stderr',
      'archiefkast: Unknown command harvst. Did you mean harvest? (see archiefkast --help)\n',
    ],
    [['toString'], 2, 'stderr', 'archiefkast: Unknown argument: toString (see archiefkast --help)\n'],
  ] as const)('runs %j under its own name', async (args, code, stream, text) => {
    const ran = await run(...args);
    expect(ran).toMatchObject({ code, [stream]: expect.stringContaining(text) });
    expect(ran.stdout + ran.stderr).not.toMatch(/archive-(?:api|cli)/);
  });
});
