import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../../faults/run-here.ts';
import { runApiHere } from '../../support/api-here.ts';
import { ITSELF, startApi } from '../../support/api-server.ts';
import { needs } from '../../support/programs.ts';
import { readCsv } from '../../support/read-csv.ts';
import { SAMPLE } from '../../support/sample.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** The archive: the sample, or the bundle that an environment variable names. */
const BUNDLE = process.env['CAMPAIGN_BUNDLE'] ?? SAMPLE;
const MINUTES = 10;
const LONG = { timeout: MINUTES * 60_000 };
const OFFICE = { ...LONG, ...needs('soffice') };
const PANDAS = '/usr/lib/python3/dist-packages/pandas';
const NETWORKX = '/usr/lib/python3/dist-packages/networkx';
const CSV = ['persons.csv', 'subjects.csv', 'locations.csv', 'events.csv', 'footnotes.csv', 'files.csv'];

/** An archive without archive.json has no archive table. */
const TABLES = [
  ...['persons', 'subjects', 'locations', 'events', 'files'],
  ...(existsSync(join(BUNDLE, 'archive.json')) ? ['archive'] : []),
];

let folder: string;
const path = (name: string) => join(folder, 'harvest', name);
/** Number of rows below the header, strictly by RFC 4180. */
const rowsOf = async (name: string) => readCsv(await readFile(path(name), 'utf8')).length - 1;

beforeAll(async () => {
  folder = await temporaryFolder();
  const server = await startApi({ engine: 'sqlite', bundle: BUNDLE, settings: { BASE_URL: ITSELF } });
  const command = ['harvest', '--base-url', server.baseUrl, '--out', path('')];
  const { code, stderr } = await runHere([...command, '--format', 'csv,jsonl,geojson,sqlite,graphml,xlsx']);
  expect(code, stderr).toBe(0);
  for (const tables of ['tables', 'tables.xlsx'])
    expect(await runApiHere(['convert', path(''), path(tables)])).toMatchObject({ code: 0 });
}, LONG.timeout);

/** Runs a program in the folder of the harvest; returns its output, including warnings. */
async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: folder, maxBuffer: 2 ** 28 });
  return stdout + stderr;
}

/** A file as LibreOffice opens it. */
async function openInOffice(name: string): Promise<string> {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  await run('soffice', '--headless', profile, '--convert-to', 'fods', '--outdir', folder, path(name));
  return await readFile(join(folder, `${parse(name).name}.fods`), 'utf8');
}

describe.each(CSV)('%s', LONG, (name) => {
  test('is valid according to csvclean', needs('csvclean'), async () => {
    expect(await run('csvclean', '-n', path(name))).toContain('No errors.');
  });

  const programs = needs(PANDAS, 'Rscript', 'mlr', 'sqlite3');
  test('has every row for pandas, R, Miller, sqlite3 and DuckDB', programs, async () => {
    const rows = await rowsOf(name);
    const printed = [
      await run('/usr/bin/python3', '-c', `import pandas; print(len(pandas.read_csv('${path(name)}')))`),
      await run('Rscript', '-e', `cat(nrow(read.csv('${path(name)}')))`),
      await run('mlr', '--icsv', '--onidx', 'count', path(name)),
      await run('sqlite3', ':memory:', `.import --csv ${path(name)} t`, 'SELECT count(*) FROM t'),
      String((await duckdb(`SELECT count(*) FROM '${path(name)}'`))[0]?.[0]),
    ];
    expect(printed.map((text) => text.trim())).toEqual(Array(5).fill(String(rows)));
  });
});

test('years are numbers, and dates before 1900 are dates', OFFICE, async () => {
  const types = await duckdb(`DESCRIBE FROM '${path('persons.csv')}'`);
  const typeOf = (column: string) => types.find(([name]) => name === column)?.[1];
  expect([typeOf('birth_date'), typeOf('birth_year')]).toEqual(['DATE', 'BIGINT']);
  const [, ...persons] = readCsv(await readFile(path('persons.csv'), 'utf8'));
  const early = persons.flat().filter((cell) => /^1[67]\d\d-\d\d-\d\d$/.test(cell));
  expect(early.length).toBeGreaterThan(0);

  const opened = await openInOffice('persons.csv');
  for (const date of new Set(early)) expect(opened).toContain(`office:date-value="${date}"`);
});

test('LibreOffice opens the workbook with its filters, frozen rows and numbers', OFFICE, async () => {
  const opened = await openInOffice('archive.xlsx');
  expect(opened.match(/display-filter-buttons="true"/g)).toHaveLength(6);
  expect(opened).toMatch(/office:value-type="float" office:value="1[67]\d\d"/);
  expect(opened).not.toMatch(/Err:\d|#REF!|#NAME\?/);
});

test.each(['locations', 'events'])('ogrinfo reads %s.geojson', needs('ogrinfo'), async (name) => {
  const info = await run('ogrinfo', '-so', '-al', path(`${name}.geojson`));
  expect(info).toContain('Geometry: Point');
  expect(info).toContain(`Feature Count: ${await rowsOf(`${name}.csv`)}`);
  expect(info).not.toMatch(/warning|error/i);
});

test('sqlite3 finds no errors in the database and its references', needs('sqlite3'), async () => {
  const checks = 'PRAGMA integrity_check; PRAGMA foreign_key_check; SELECT count(*) FROM persons;';
  expect(await run('sqlite3', path('archive.sqlite'), checks)).toBe(`ok\n${await rowsOf('persons.csv')}\n`);
});

test('pandas reads the database, and DuckDB its export by sqlite3', {
  ...LONG,
  ...needs(PANDAS, 'sqlite3'),
}, async () => {
  const rows = String(await rowsOf('persons.csv'));
  const database = path('archive.sqlite');
  const pandas = `import pandas, sqlite3; print(len(pandas.read_sql('SELECT * FROM persons', sqlite3.connect('${database}'))))`;
  expect((await run('/usr/bin/python3', '-c', pandas)).trim()).toBe(rows);
  // DuckDB's own reader of SQLite is an extension that it downloads.
  const given = join(folder, 'persons-of-sqlite.csv');
  await run('sqlite3', database, '.headers on', '.mode csv', `.once ${given}`, 'SELECT * FROM persons');
  const years = 'SELECT birth_year, count(*) FROM';
  expect(await duckdb(`${years} '${given}' GROUP BY ALL ORDER BY ALL`)).toEqual(
    await duckdb(`${years} '${path('persons.csv')}' GROUP BY ALL ORDER BY ALL`),
  );
});

test.each(['persons', 'subjects', 'locations', 'events'])(
  'DuckDB and Miller read %s.jsonl',
  needs('mlr'),
  async (name) => {
    const rows = String(await rowsOf(`${name}.csv`));
    const counted = await duckdb(`SELECT count(*) FROM read_json('${path(`${name}.jsonl`)}')`);
    expect(String(counted[0]?.[0])).toBe(rows);
    expect((await run('mlr', '--ijsonl', '--onidx', 'count', path(`${name}.jsonl`))).trim()).toBe(rows);
  },
);

test.each(TABLES)(
  'tables/%s.csv is valid according to csvclean, and complete in pandas and DuckDB',
  { ...LONG, ...needs('csvclean', PANDAS) },
  async (name) => {
    const table = path(`tables/${name}.csv`);
    expect(await run('csvclean', '-n', table)).toContain('No errors.');
    const rows = String(await rowsOf(`tables/${name}.csv`));
    const pandas = `import pandas; print(len(pandas.read_csv('${table}')))`;
    expect((await run('/usr/bin/python3', '-c', pandas)).trim()).toBe(rows);
    const counted = await duckdb(`SELECT count(*) FROM read_csv('${table}', header = true)`);
    expect(String(counted[0]?.[0])).toBe(rows);
  },
);

test('LibreOffice opens the workbook of tables', OFFICE, async () => {
  const opened = await openInOffice('tables.xlsx');
  const sheets = TABLES.filter((name) => opened.includes(`table:name="${name}"`));
  expect(sheets).toEqual(TABLES);
  expect(opened).not.toMatch(/Err:\d|#REF!|#NAME\?/);
});

test('the recipes of the documentation work', needs(PANDAS, NETWORKX, 'sqlite3'), async () => {
  const documentation = await readFile(
    fileURLToPath(new URL('../../../docs/cli.md', import.meta.url)),
    'utf8',
  );
  const recipe = (language: string) => documentation.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';
  const statements = recipe('sql').replaceAll(/'(harvest\/|\w+\.parquet)/g, `'${folder}/$1`);
  let centuries: unknown[][] = [];
  for (const statement of statements.trim().split('\n')) centuries = await duckdb(statement);
  expect(centuries.length).toBeGreaterThan(2);
  const [header = [], ...persons] = readCsv(await readFile(path('persons.csv'), 'utf8'));
  const born = persons.map((row) => row[header.indexOf('birth_date')] ?? '').filter(Boolean);
  expect(await run('/usr/bin/python3', '-c', recipe('py'))).toContain(born.toSorted()[0]);
  expect(await run('/usr/bin/python3', '-c', recipe('python'))).toMatch(/^\d+ \S.*\n/);
  const busiest = await run('sqlite3', path('archive.sqlite'), recipe('sqlite'));
  expect(busiest).toMatch(/^\S.*\|\d+\n/);
});

/** The rows of a statement. */
async function duckdb(statement: string): Promise<unknown[][]> {
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    return (await connection.runAndReadAll(statement)).getRowsJson();
  } finally {
    connection.closeSync();
  }
}
