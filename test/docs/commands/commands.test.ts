import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { commandsOf, NOT_RUN, PAGES, whyNot } from './pages.ts';
import { patternOf, readCommands } from './read-commands.ts';

const CHECKOUT = new URL('../../../', import.meta.url);
const ROOT = fileURLToPath(CHECKOUT);
const DOCUMENTS = globSync(['*.md', 'docs/*.md', '{apps,packages}/**/README.md'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**', 'CHANGELOG.md'],
});
const COMMANDS = DOCUMENTS.flatMap((page) => commandsOf(CHECKOUT, page));
const read = (path: string) => readFileSync(new URL(path, CHECKOUT), 'utf8');

describe('the commands of the documentation', () => {
  test('are all run in a fresh clone, or listed with a reason', () => {
    expect(COMMANDS.length).toBeGreaterThan(80);
    const run = PAGES.map(({ page }) => page);
    expect(
      COMMANDS.filter((command) => !run.includes(command.page) && whyNot(command) === undefined),
    ).toEqual([]);
    const unused = NOT_RUN.filter(
      ([page, beginning]) => !COMMANDS.some((each) => each.page === page && each.text.startsWith(beginning)),
    );
    expect(unused).toEqual([]);
    expect(run.filter((page) => !COMMANDS.some((each) => each.page === page))).toEqual([]);
  });

  test('name files of a folder so that npm does not take them for a repository of GitHub', () => {
    const workflows = globSync(['.github/workflows/*.yml', '.ci/*', 'deploy/**/*.*'], { cwd: ROOT });
    for (const path of [...DOCUMENTS, ...workflows]) {
      expect(read(path), path).not.toMatch(/npm (?:install|i|publish)(?: +-\S+)* +"?[\w*-]+\/[^\s"`]*\.tgz/);
    }
  });

  test('docs/cli.md has an example of every command', () => {
    const commands = commandsOf(CHECKOUT, 'docs/cli.md').map(({ text }) => text.split(' ')[1]);
    const every = ['harvest', 'export', 'verify', 'diff', 'stats', 'search', 'show', 'completion'];
    expect(commands).toEqual(expect.arrayContaining(every));
  });
});

test.each(globSync('apps/*/bin/*.js', { cwd: ROOT }))(
  '%s says what to run in a checkout that is not built',
  async (path) => {
    const bin = join(await temporaryFolder(), 'bin');
    mkdirSync(bin);
    copyFileSync(join(ROOT, path), join(bin, 'program.mjs'));
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(bin, 'program.mjs'), '--version'], {
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 1,
      stdout: '',
      stderr: `${basename(path, '.js')} is not built: run \`npm ci\` in the checkout, which installs and builds it.\n`,
    });
  },
);

test('npm ci builds', () => {
  const { scripts } = JSON.parse(read('package.json'));
  expect(scripts.prepare).toBe(scripts.build);
});

test('the README has at most 120 lines', () => {
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(121);
});

describe('readCommands', () => {
  const block = (mark: string, ...lines: string[]) => [`\`\`\`${mark}`, ...lines, '```', ''].join('\n');

  test('reads the lines of a block, sessions, and the output after them', () => {
    const page = [
      'A.',
      '',
      block('sh', 'a one', 'a two  # why'),
      block('', 'out'),
      block('', '$ b', 'x', '$ c'),
    ];
    expect(readCommands('p.md', page.join('\n'))).toEqual([
      { page: 'p.md', line: 4, text: 'a one' },
      { page: 'p.md', line: 5, text: 'a two  # why', output: 'out' },
      { page: 'p.md', line: 13, text: 'b', output: 'x' },
      { page: 'p.md', line: 15, text: 'c' },
    ]);
  });

  test('refuses commands without a mark', () => {
    expect(() => readCommands('p.md', block('', 'npm ci'))).toThrow('p.md:2: expected the mark sh');
  });

  test('… in an output stands for anything', () => {
    expect('a b c').toMatch(patternOf('a … c'));
    expect('a\nb\nc\nd').toMatch(patternOf('a\n…\nd'));
    expect('a\nb').not.toMatch(patternOf('a\n…\nc'));
  });
});
