import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDER = join(ROOT, 'docs/decisions');
const files = readdirSync(FOLDER).sort();
const read = (path: string) => readFileSync(path, 'utf8');

describe('docs/decisions', () => {
  test('have a number each, which a later one never takes again', () => {
    const numbers = files.map((name) => name.slice(0, 5));
    expect(numbers.filter((number) => !/^\d{4}-$/.test(number))).toEqual([]);
    expect(numbers).toEqual([...new Set(numbers)]);
  });

  test.each(files)('%s has its number in the title, and a status with its date', (name) => {
    expect(read(join(FOLDER, name))).toMatch(
      new RegExp(`^# ${name.slice(0, 4)}: \\S.*\n\nStatus: accepted \\d{4}-\\d\\d-\\d\\d`),
    );
  });

  test('list every dependency of every package.json, and no other', () => {
    const page = read(join(FOLDER, '0001-dependencies.md'));
    const rows = [...page.matchAll(/^\| (`.+?) \| .+? \| .+ \|$/gm)].map(([, names = '']) => names);
    const listed = rows.flatMap((names) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    const used = globSync(['package.json', '{apps,packages}/*/package.json', 'test/package.json'], {
      cwd: ROOT,
    })
      .map((path) => JSON.parse(read(join(ROOT, path))))
      .flatMap(({ dependencies, devDependencies }) => Object.keys({ ...dependencies, ...devDependencies }))
      .filter((name) => !name.startsWith('@archiefkast/'))
      .map((name) => name.replace(/^@types\/.*/, '@types/…'));
    expect(listed.toSorted()).toEqual([...new Set(used)].sort());
  });
});

describe('documentation', () => {
  const pages = globSync(['*.md', 'docs/**/*.md', '{apps,packages}/*/README.md'], { cwd: ROOT });

  test.each(pages)('%s links to files and headings that exist', (page) => {
    const path = join(ROOT, page);
    const links = [...read(path).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
    for (const [link, target = '', anchor] of links) {
      const file = target === '' ? path : join(dirname(path), target);
      expect(existsSync(file), link).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(read(file)), link).toContain(anchor);
    }
  });

  test.each(pages)('%s names source files that exist', (page) => {
    if (page === 'CHANGELOG.md') return;
    const paths = read(join(ROOT, page)).match(/(?<=`)(apps|packages|test|deploy)\/[\w./-]+(?=`)/g) ?? [];
    for (const path of paths.filter((each) => !/\/dist\//.test(each))) {
      const exists = existsSync(join(ROOT, path)) || existsSync(join(ROOT, `${path}.test.ts`));
      expect(exists, path).toBe(true);
    }
  });

  test('docs/README.md lists every page', () => {
    const contents = read(join(ROOT, 'docs/README.md'));
    const all = globSync(['*.md', 'reference/*.md'], { cwd: join(ROOT, 'docs') });
    expect(all.filter((page) => page !== 'README.md' && !contents.includes(`](${page})`))).toEqual([]);
  });

  test('comments name decisions that exist', () => {
    const sources = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: ROOT });
    const named = sources.flatMap(
      (path) => read(join(ROOT, path)).match(/docs\/decisions\/[\w-]+\.md/g) ?? [],
    );
    for (const path of named) expect(existsSync(join(ROOT, path)), path).toBe(true);
  });
});

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
