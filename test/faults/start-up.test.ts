import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadedFiles } from '../support/loaded-files.ts';
import { startArchive } from './archive-server.ts';
import { runCli } from './run-cli.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ARCHIVE_CLI = fileURLToPath(new URL('../../apps/cli/bin/archive-cli.js', import.meta.url));

test.for(['--version', '--help'])('%s loads only the modules that parse the command line', async (option) => {
  const files = await loadedFiles([ARCHIVE_CLI, option]);
  expect(files.length).toBeGreaterThan(10);
  expect(files.length).toBeLessThan(100);
  expect(
    files.filter((url) => /\/(zod|ky|cli-table3|packages\/formats|packages\/client)\//.test(url)),
  ).toEqual([]);
});

test('a harvest loads the modules of its format only, none for workbooks, tables or Markdown', async (context) => {
  const archive = await startArchive();
  context.onTestFinished(() => archive.stop());
  const out = await temporaryFolder(context);
  const formats = ['--format', 'csv', '--format', 'jsonl'];
  const files = await loadedFiles([
    ...[ARCHIVE_CLI, 'harvest', '--base-url', archive.url, '--out', out],
    ...formats,
  ]);
  expect(files.filter((url) => url.includes('/packages/formats/'))).not.toEqual([]);
  expect(
    files.filter((url) => /\/(yazl|yauzl|sax|markdown-it|cli-table3|formats\/dist\/index)/.test(url)),
  ).toEqual([]);
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

  test('is a script for bash or zsh: that of the shell, or the one asked for', async () => {
    const bash = await runCli(['completion'], { environment: { SHELL: '/bin/bash' } });
    expect(bash).toMatchObject({ code: 0, stdout: expect.stringContaining('complete -o bashdefault') });
    expect(bash.stdout).toContain('archive-cli --get-yargs-completions');
    const zsh = await runCli(['completion', 'zsh'], { environment: { SHELL: '/bin/bash' } });
    expect(zsh).toMatchObject({ code: 0, stdout: expect.stringContaining('#compdef archive-cli') });
  });
});
