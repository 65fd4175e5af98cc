import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const BIN = fileURLToPath(new URL('../../apps/archiefkast/bin/archiefkast.js', import.meta.url));
const BUNDLE = fileURLToPath(new URL('../../apps/api/sample', import.meta.url));

/** Runs archiefkast; an exit code other than 0 is no error. */
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [BIN, ...args], { env: { PATH: process.env['PATH'] } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

describe('archiefkast', () => {
  test('lists every command of both programs, as it runs them', async () => {
    const commands = async (...args: string[]) => {
      const { stdout } = await run(...args);
      return [...stdout.matchAll(/^ {2}(?:archiefkast(?: api| cli)?|archive-api|archive-cli) (\w+)/gm)];
    };
    const listed = await commands('--help');
    const all = [...(await commands('api', '--help')), ...(await commands('cli', '--help'))];
    expect(listed.map(([, name]) => name)).toEqual(all.map(([, name]) => name));
    for (const [line] of listed.filter(([, name]) => name === 'export')) {
      const help = await run(...line.trim().split(' ').slice(1), '--help');
      expect(help, line).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^archive-/) });
    }
  });

  test.each([
    ['check', 'archive-api', [BUNDLE], 0],
    ['stats', 'archive-cli', [BUNDLE], 0],
    ['publish', 'archive-api', [], 2],
    ['verify', 'archive-cli', ['no-such-folder'], 1],
  ])('%s is a command of %s, with its exit code', async (command, program, args, code) => {
    const result = await run(command, ...args);
    expect(result.code).toBe(code);
    expect(result).toEqual(await run(program === 'archive-api' ? 'api' : 'cli', command, ...args));
  });

  test.each([
    [[], 'Missing command'],
    [['harvst'], 'Unknown command harvst'],
    [['--out', 'x', 'harvest'], 'Unknown command --out'],
    [['toString'], 'Unknown command toString'],
    [
      ['export', 'x'],
      'export: expected api export (what a database serves) or cli export (a folder of a harvest)',
    ],
  ])('refuses %j with exit code 2', async (args, reason) => {
    const stderr = `archiefkast: ${reason} (see archiefkast --help)\n`;
    expect(await run(...args)).toEqual({ code: 2, stdout: '', stderr });
  });
});
