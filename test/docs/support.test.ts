import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../generate/generated.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const workflow = (name: string) => parse(read(`.github/workflows/${name}.yml`)).jobs.test;

/** Cells of the table of docs/support.md, without code marks, by the name in their first column. */
const rows = new Map(
  read('docs/support.md')
    .split('\n')
    .filter((line) => /^\| (?!what)/.test(line))
    .map((line): [string, string[]] => {
      const [, name = '', ...cells] = line.replaceAll('`', '').split(/ ?\| ?/);
      return [name, cells];
    }),
);

/** What CI tests for every change, and every night. */
const CI = [workflow('ci'), workflow('nightly')];
const NIGHTLY_IMAGES: string[] = CI[1].strategy.matrix.include.map(({ image }: { image: string }) => image);
const NODES = CI.map(({ steps }) =>
  String(steps.find((step: { with?: object }) => step.with).with['node-version']),
);

test.each([
  ['Node', NODES],
  [
    'MariaDB',
    [
      `that of ${CI[0]['runs-on']}`,
      NIGHTLY_IMAGES.filter((image) => image.startsWith('mariadb:')).join(', '),
    ],
  ],
  ['MySQL', ['–', NIGHTLY_IMAGES.filter((image) => image.startsWith('mysql:')).join(', ')]],
  ['operating system', [`Linux, x64 (${CI[0]['runs-on']})`, 'the same']],
])('docs/support.md says of %s what CI tests', (name, tested) => {
  expect(rows.get(name)?.slice(0, 2)).toEqual(tested);
});

test('docs/support.md has the oldest Node, the browser and the target of scripts', () => {
  expect(JSON.parse(read('package.json')).engines.node).toBe(`>=${NODES[0]}`);
  expect(CI[1]['runs-on']).toBe(CI[0]['runs-on']);
  const { devDependencies } = JSON.parse(read('test/package.json'));
  expect(
    Object.keys(devDependencies).filter((name) => rows.get('browser')?.[0]?.includes(name)),
  ).toHaveLength(1);
  const [, target] = /target: '(\w+)'/.exec(read('packages/site/scripts/build-assets.ts')) ?? [];
  expect(rows.get('browser')?.[2]).toContain(`(${target})`);
});
