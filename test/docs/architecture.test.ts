import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const [, map = ''] =
  /## The map\n\n```\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')) ?? [];

/** The files and folders that the map names, as paths: a line stands below the nearest one with a smaller indent. */
function pathsOf(text: string): string[] {
  const paths: string[] = [];
  const above: { indent: number; path: string }[] = [];
  for (const line of text.split('\n')) {
    const [, margin = '', names = ''] = /^( *)(\S+(?: \S+)*)/.exec(line) ?? [];
    while (above.length > 0 && (above.at(-1)?.indent ?? 0) >= margin.length) above.pop();
    const folder = above.at(-1)?.path ?? '';
    const found = names.split(' ').filter((name) => /(?:\/|\.tsx?)$/.test(name));
    // A line without names goes on with the text of the one before.
    if (found.length === 0 || margin.length > 6) continue;
    paths.push(...found.map((name) => join(folder, name)));
    // The sources of a package are in its folder src.
    const inside = /^packages\/\w[\w-]*\/$/.test(found[0] ?? '') ? 'src' : '';
    above.push({ indent: margin.length, path: join(folder, found[0] ?? '', inside) });
  }
  return paths;
}

test('the map of docs/architecture.md names files and folders that exist', () => {
  const paths = pathsOf(map);
  expect(paths.length).toBeGreaterThan(60);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
