import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { runWith } from '../testing/run-with.ts';
import { EXIT } from './exit-code.ts';

let documentation: string;
beforeAll(async () => {
  documentation = await readFile(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
});

/** A section of the documentation, by its heading. */
function section(heading: string): string {
  const part = documentation.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (part === undefined) throw new Error(`docs/cli.md has no section "${heading}"`);
  return part;
}

const COMMANDS = ['harvest', 'export', 'verify', 'diff', 'stats', 'search', 'show', 'completion'];

test('every command is documented', async () => {
  const { stdout } = await runWith(['--help']);
  const commands = [...stdout.matchAll(/^ {2}archive-cli (\w+)/gm)].map(([, name]) => name);
  expect(commands).toEqual(COMMANDS);
  for (const command of COMMANDS) expect(section(command)).toBeTruthy();
});

describe.each(COMMANDS)('the options of %s', (command) => {
  test('are documented, and no others', async () => {
    const { stdout } = await runWith([command, '--help']);
    const options = [...stdout.matchAll(/^ +--([\w-]+)/gm)].flatMap(([, name]) => name ?? []);
    const own = options.filter((name) => name !== 'help' && name !== 'version');
    const text = section(command) + (own.includes('base-url') ? section('Asking an archive') : '');
    const documented = [...text.matchAll(/^\| `--([\w-]+)`/gm)].flatMap(([, name]) => name ?? []);
    for (const option of own) expect(text, `--${option}`).toContain(`\`--${option}\``);
    expect(documented.filter((name) => !own.includes(name))).toEqual([]);
  });
});

test('every exit code is documented, and in --help', async () => {
  const { stdout } = await runWith(['--help']);
  for (const code of Object.values(EXIT)) {
    expect(section('Exit codes')).toContain(`| ${code} |`);
    expect(stdout).toMatch(new RegExp(`^ {2}${code} `, 'm'));
  }
});
