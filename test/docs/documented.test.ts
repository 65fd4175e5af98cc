import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { describeFixture } from '../support/contract-archive.ts';
import { type DescribedSetting, listSettings } from '../support/list-settings.ts';
import type { OpenApi } from '../support/openapi-validator.ts';
import { getJson } from '../support/walk.ts';

const api = readDocument('api.md');
const operations = readDocument('operations.md');

/** Parameters of the page of search, which the description of the API does not have. */
const OF_PAGES = ['date', 'from', 'to'];

describeFixture('docs/api.md', (archive) => {
  test('has every path of the API and every parameter, and no other', async () => {
    const { paths } = await getJson<OpenApi>(archive(), '/openapi.json');
    expect(codes(api, 'Endpoints', 0)).toEqual(Object.keys(paths).sort());
    const parameters = Object.values(paths).flatMap(({ get }) => get.parameters);
    const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    expect(codes(api, 'Parameters', 0)).toEqual([...new Set([...names, ...OF_PAGES])].sort());
  });

  test('has every kind of problem with its status, and no other', async () => {
    const { info } = await getJson<{ info: { description: string } }>(archive(), '/openapi.json');
    const rows = [...info.description.matchAll(/^\| (\d{3}) \| \[([a-z-]+)\]\(/gm)];
    expect(codes(api, 'Problems', 1)).toEqual(rows.map(([, , name]) => name).sort());
    for (const [, status, name] of rows) expect(api, name).toContain(`\n| ${status} | \`${name}\` |`);
  });
});

describe('docs/operations.md', () => {
  let settings: DescribedSetting[];
  beforeAll(async () => {
    settings = await listSettings();
  });

  test('has every setting with its default, and no other', () => {
    expect(codes(operations, 'Settings', 0)).toEqual(settings.map(({ name }) => name).sort());
    for (const { name, fallback } of settings) {
      expect(operations).toContain(`\n| \`${name}\` | \`${fallback}\` |`);
    }
  });

  test('has the meaning of every setting as --help gives it, perhaps with more detail', () => {
    for (const { name, meaning } of settings) {
      const row = operations.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';
      const documented = wordsOf(row);
      const missing = wordsOf(meaning).filter((word) => {
        const at = documented.indexOf(word);
        documented.splice(0, at + 1);
        return at === -1;
      });
      expect(missing, name).toEqual([]);
    }
  });

  test('has every command and option of --help', async () => {
    const { stdout } = await runApiHere(['--help']);
    const commands = [...stdout.matchAll(/^ {2}archive-api (\w+)/gm)].map(([, name = '']) => name);
    expect(commands.length).toBeGreaterThan(3);
    for (const command of commands) {
      expect(operations).toMatch(new RegExp(`^archive-api ${command}\\b`, 'm'));
      const help = await runApiHere([command, '--help']);
      const options = [...help.stdout.matchAll(/^ +(--[\w-]+)/gm)].map(([, name = '']) => name);
      for (const option of options.filter((name) => name !== '--help' && name !== '--version')) {
        expect(operations).toContain(`| \`${option}\` | ${command} |`);
      }
    }
  });
});

describe('deploy/alerts.yml', () => {
  const rules = readFileSync(new URL('../../deploy/alerts.yml', import.meta.url), 'utf8');

  test('has the alerts that the documentation explains, and no other', () => {
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(alerts.length).toBeGreaterThan(3);
    expect([...operations.matchAll(/^\| `(Archive\w+)` \|/gm)].map(([, name]) => name)).toEqual(alerts);
  });

  test('uses only metrics that the documentation describes', () => {
    const described = new Set(codes(operations, 'Watching it', 0));
    const used = [...rules.matchAll(/\barchive_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''));
    expect(used.filter((name) => !described.has(name))).toEqual([]);
  });
});

/** The words of a text, without code marks and targets of links. */
function wordsOf(text: string): string[] {
  return text.replace(/\]\([^)]*\)/g, ']').match(/[\w<>:/@.-]*[\w>]/g) ?? [];
}

function readDocument(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

/** What the cells of a column of the tables under a heading say in code, sorted. */
function codes(text: string, heading: string, column: number): string[] {
  const [section = ''] = text.split(`\n## ${heading}\n`)[1]?.split('\n## ') ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  const cells = rows.map((row) => row.slice(2).split(' | ')[column] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)).sort();
}
