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
