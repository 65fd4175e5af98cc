import { EXIT } from '@archiefkast/system/command-line';
import { describe, expect, test } from 'vitest';
import { run } from './cli.ts';
import { SETTINGS } from './config.ts';

/** Runs a command line in this process. */
async function runHere(args: readonly string[], environment: Record<string, string> = {}) {
  const output = { stdout: '', stderr: '' };
  const code = await run({
    arguments: args,
    environment,
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    signal: new AbortController().signal,
  });
  return { code, ...output };
}

const COMMANDS = [
  'publish',
  'serve',
  'editions',
  'switch',
  'rollback',
  'migrate',
  'index',
  'check',
  'convert',
  'template',
  'doctor',
  'export',
];

describe('help', () => {
  test('shows every command and every setting with its default', async () => {
    const { code, stdout, stderr } = await runHere(['--help']);
    expect({ code, stderr }).toEqual({ code: EXIT.done, stderr: '' });
    for (const command of COMMANDS) expect(stdout).toContain(`archive-api ${command}`);
    for (const { name, fallback } of SETTINGS) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`[${fallback}]`);
    }
  });

  test.each(COMMANDS)('of %s', async (command) => {
    const { code, stdout } = await runHere([command, '--help']);
    expect(code).toBe(EXIT.done);
    expect(stdout).toContain(`archive-api ${command}`);
  });

  test('--version is a version', async () => {
    expect((await runHere(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

test.each([
  [
    'no command',
    [],
    'expected publish, serve, editions, switch, rollback, doctor, migrate, index, check, export, convert, template or import',
  ],
  ['an unknown command', ['publsh', 'x'], 'publsh'],
  ['no bundle', ['publish'], 'publish: expected a bundle'],
  ['an unknown option', ['serve', '--prot', '80'], 'prot'],
  ['an invalid number of editions', ['publish', 'x', '--keep', 'many'], '--keep: expected a whole number'],
  ['too few editions', ['publish', 'x', '--keep', '0'], '--keep: expected a whole number from 1'],
  ['no edition', ['switch'], 'switch: expected an edition number'],
  ['an invalid edition', ['switch', 'newest'], 'switch: expected an edition number'],
  ['a fraction of a worker', ['serve', '--workers', '1.5'], '--workers: expected a whole number'],
  ['an argument too many', ['editions', 'x'], 'x'],
  ['--await without an address', ['publish', 'x', '--await', 'node1'], '--await: expected URLs'],
  ['--await and --hold', ['publish', 'x', '--hold', '--await', 'http://a:1'], '--await: cannot be combined'],
  ['an invalid timeout', ['publish', 'x', '--timeout', 'soon'], '--timeout: expected a duration'],
] as const)('%s is a usage error, with a hint to --help', async (_, args, message) => {
  const { code, stdout, stderr } = await runHere(args);
  expect({ code, stdout }).toEqual({ code: EXIT.usage, stdout: '' });
  expect(stderr).toMatch(/^archive-api: /);
  expect(stderr).toContain(message);
  expect(stderr).toContain('archive-api --help');
});

test('invalid settings are a usage error that names each, without passwords', async () => {
  const environment = { PORT: '80000', BASE_URL: 'example.org', DATABASE_URL: 'pg://me:secret@host/db' };
  const { code, stdout, stderr } = await runHere(['serve'], environment);
  expect({ code, stdout }).toEqual({ code: EXIT.usage, stdout: '' });
  for (const name of Object.keys(environment)) expect(stderr).toContain(`${name}: expected`);
  expect(stderr).not.toContain('secret');
});
