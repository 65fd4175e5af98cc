import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

const ARCHIVE_CLI = fileURLToPath(new URL('../../apps/cli/bin/archive-cli.js', import.meta.url));
/** Says at the end how long the processor has worked, in milliseconds. */
const METER =
  "data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write(String((user+system)/1000))})";
const TRIES = 5;
const MOST_MILLISECONDS = 200;

test.for(['--version', '--help'])('%s takes at most 0.2 s of work', async (option) => {
  const times: number[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { stderr } = await promisify(execFile)(process.execPath, ['--import', METER, ARCHIVE_CLI, option]);
    times.push(Number(stderr));
  }
  expect(Math.min(...times)).toBeLessThan(MOST_MILLISECONDS);
});

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
