import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const [, map = ''] = /## The map\n\n```\n([\s\S]*?)```/.exec(read('docs/architecture.md')) ?? [];
/** Each workspace of the map, with its lines. */
const sections = map.split(/^(?=\S)/m);

const workspaces = globSync('{apps,packages}/*/package.json', { cwd: ROOT }).map((path) => dirname(path));

describe.each(workspaces)('%s', (workspace) => {
  test('has all folders of its sources in the map of docs/architecture.md, and no other', () => {
    const section = sections.find((text) => text.startsWith(`${workspace}/`)) ?? '';
    const [, ...lines] = section.split('\n');
    const listed = lines.flatMap((line) =>
      [...line.matchAll(/(?<=^|\s)([a-z-]+)\//g)].map(([, name]) => name),
    );
    const folders = globSync(`${workspace}/src/**/*.{ts,tsx}`, { cwd: ROOT })
      .map((path) => dirname(path))
      .filter((path) => path !== `${workspace}/src`);
    const names = [...new Set(folders)].map((path) => basename(path));
    expect([...new Set(listed)].sort()).toEqual([...new Set(names)].sort());
  });

  test('is named in CONTRIBUTING.md', () => {
    expect(read('CONTRIBUTING.md')).toContain(`\`${workspace}\``);
  });
});
