import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../apps/cli/dist/exit-code.js';
import { runHere } from '../faults/run-here.ts';
import { describeFixture } from '../support/contract-archive.ts';
import type { OpenApi } from '../support/openapi-validator.ts';
import { needs, placeOf } from '../support/programs.ts';
import { getJson } from '../support/walk.ts';

const api = readDocument('api.md');
const cli = readDocument('cli.md');
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
});

describe('docs/cli.md', () => {
  test('has every exit code, as --help', async () => {
    const { stdout } = await runHere(['--help']);
    for (const code of Object.values(EXIT)) {
      expect(section(cli, 'Exit codes')).toContain(`| ${code} |`);
      expect(stdout).toMatch(new RegExp(`^ {2}${code} `, 'm'));
    }
  });
});

describe('deploy/alerts.yml and alerts-schedule.yml', () => {
  const rules = readDeploy('alerts.yml') + readDeploy('alerts-schedule.yml');

  test('has the alerts that the documentation explains, and no other', () => {
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(alerts.length).toBeGreaterThan(3);
    expect([...operations.matchAll(/^\| `(Archive\w+)` \|/gm)].map(([, name]) => name)).toEqual(alerts);
  });

  test('uses only metrics that the documentation describes', () => {
    const described = new Set(readDocument('reference/metrics.md').match(/\barchive_\w+/g));
    expect(metricsIn(rules).filter((name) => !described.has(name))).toEqual([]);
    expect(metricsIn(readDeploy('grafana.json')).sort()).toEqual([...described].sort());
  });

  test('says of each alert how severe it is', () => {
    const alerts = rules.split('- alert: ').slice(1);
    for (const alert of alerts) expect(alert).toMatch(/labels: \{ severity: (?:critical|warning) \}/);
  });

  test('each fires and is silent as its cases say', needs('promtool'), async () => {
    const program = placeOf('promtool');
    const run = (...args: string[]) => promisify(execFile)(program, args, { cwd: DEPLOY });
    expect((await run('check', 'rules', 'alerts.yml', 'alerts-schedule.yml')).stdout).toContain(
      '1 rules found',
    );
    expect((await run('test', 'rules', 'alerts.test.yml')).stdout).toContain('SUCCESS');
  });

  test('has a case for each, with an alert and without', () => {
    const cases = readDeploy('alerts.test.yml');
    for (const [, name] of rules.matchAll(/- alert: (\w+)/g))
      expect(cases, name).toMatch(new RegExp(`alertname: ${name}\\b[^]*?exp_alerts:\\n`));
  });
});

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));

function readDeploy(name: string): string {
  return readFileSync(`${DEPLOY}${name}`, 'utf8');
}

/** The metrics of the archive that a text names, each once. */
function metricsIn(text: string): string[] {
  const found = text.matchAll(/\barchive_\w+/g);
  return [...new Set([...found].map(([name]) => name.replace(/_bucket$/, '')))];
}

function readDocument(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
}

/** The text under a heading. */
function section(text: string, heading: string): string {
  const [, found] = text.split(`\n## ${heading}\n`);
  if (found === undefined) throw new Error(`there is no section "${heading}"`);
  return found.split('\n## ', 1)[0] ?? '';
}

/** What the cells of a column of the tables under a heading say in code, sorted. */
function codes(text: string, heading: string, column: number): string[] {
  const rows = section(text, heading)
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const cells = rows.map((row) => row.slice(2).split(' | ')[column] ?? '');
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)).sort();
}
