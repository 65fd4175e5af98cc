import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadedFiles } from '../support/loaded-files.ts';
import { startScene } from './scene.ts';

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
  const { command } = await startScene(context);
  const files = await loadedFiles([ARCHIVE_CLI, ...command, '--format', 'csv,jsonl']);
  expect(files.filter((url) => url.includes('/packages/formats/'))).not.toEqual([]);
  expect(
    files.filter((url) => /\/(yazl|yauzl|sax|markdown-it|cli-table3|formats\/dist\/index)/.test(url)),
  ).toEqual([]);
});
