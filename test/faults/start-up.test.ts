import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

const ARCHIVE_CLI = fileURLToPath(new URL('../../apps/cli/bin/archive-cli.js', import.meta.url));
/** Says at the end which files were loaded, one on a line. */
const LOADED =
  "data:text/javascript,import{registerHooks}from'node:module';const all=[];registerHooks({load(url,context,next){all.push(url);return next(url,context)}});process.on('exit',()=>process.stderr.write(all.join(String.fromCharCode(10))))";

test.for(['--version', '--help'])(
  '%s loads what reads the command line, and nothing else',
  async (option) => {
    const arguments_ = ['--import', LOADED, ARCHIVE_CLI, option];
    const { stderr } = await promisify(execFile)(process.execPath, arguments_);
    const files = stderr.split('\n').filter((url) => url.startsWith('file:'));
    expect(files.length).toBeGreaterThan(10);
    expect(files.length).toBeLessThan(100);
    expect(
      files.filter((url) => /\/(zod|ky|cli-table3|packages\/formats|packages\/client)\//.test(url)),
    ).toEqual([]);
  },
);

describe('completion', () => {
  const complete = async (...words: string[]) => {
    const { stdout } = await runCli(['--get-yargs-completions', 'archive-cli', ...words]);
    return stdout.trim().split('\n');
  };

  test('knows commands, kinds, formats and options', async () => {
    expect(await complete('')).toEqual(expect.arrayContaining(['harvest', 'verify', 'search', 'stats']));
    expect(await complete('harvest', 'p')).toEqual(['persons', 'person']);
    expect(await complete('search', '--kind', '')).toEqual(expect.arrayContaining(['events', 'event']));
    expect(await complete('harvest', '--format', '')).toEqual(expect.arrayContaining(['csv', 'jsonl']));
    expect(await complete('verify', '--')).toContain('--source');
  });

  test.for(['bash', 'zsh'])('is a script for %s', async (shell) => {
    const { code, stdout } = await runCli(['completion'], { environment: { SHELL: `/bin/${shell}` } });
    expect(code).toBe(0);
    expect(stdout).toContain('archive-cli --get-yargs-completions');
    expect(stdout).toContain(shell === 'zsh' ? '#compdef archive-cli' : 'complete -o bashdefault');
  });
});
