import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveDescriptionSchema, fileObject } from '@archiefkast/bundle';
import { ARCHIVE_COLUMNS, openWorkbook, TABLES, templateTables, writeWorkbook } from '@archiefkast/formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { runApi, type Settings, startProcess } from '../support/api-process.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const bundle = readFileSync(new URL('../../docs/bundle.md', import.meta.url), 'utf8');
/** The tutorial, in English and in Dutch. */
const TUTORIALS = ['start-your-archive', 'begin-uw-archief'];

/** The cells of the table under a heading, without the code marks around them. */
function rowsUnder(heading: string): string[][] {
  const [section = ''] = bundle.split(`\n${heading}\n`)[1]?.split(/\n##+ /) ?? [];
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(1).map((row) => row.slice(2, -2).split(' | '));
}

const code = (cell = '') => cell.replaceAll('`', '').replaceAll('\\|', '|');

describe('docs/bundle.md', () => {
  test('has every field of a file and of archive.json, and every table', () => {
    const files = rowsUnder('## Images and files').map(([field]) => code(field));
    expect(files).toEqual(Object.keys(fileObject.shape));
    const rows = rowsUnder('## The archive');
    expect(rows.map(([, column]) => code(column))).toEqual(ARCHIVE_COLUMNS.map(({ name }) => name));
    const fields = new Set(rows.map(([path]) => code(path).split('.')[0]));
    expect([...fields]).toEqual(Object.keys(archiveDescriptionSchema.shape));
    for (const table of TABLES) expect(bundle).toContain(`\`${table}.csv\``);
  });

  test('every column is explained, in Dutch and in English', async () => {
    const explanation = (await templateTables('')).at(-1);
    for await (const [table, name, , ...texts] of explanation?.rows ?? []) {
      expect(texts, `${table}.${name}`).not.toContain('');
    }
  });
});

describe.each(TUTORIALS)('docs/%s.md', (name) => {
  const start = readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');
  let folder: string;
  let settings: Settings;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const port = await freePort();
    settings = {
      DATABASE_URL: `sqlite:${join(folder, 'archive.sqlite')}`,
      DERIVED_DIR: join(folder, 'derived'),
      PORT: String(port),
    };
  });

  /** The commands of the page, in order, on files of the test. */
  const commands = [...start.matchAll(/^npx archive-api (.+)$/gm)].map(([, command = '']) => command);
  const here = (command: string) =>
    command.split(' ').map((word) => word.replace(/^my-archive/, `${folder}/$&`));
  const run = (command: string) => runApi(here(command), settings);

  test('is true as it is written', { timeout: 120_000 }, async () => {
    expect(commands).toEqual([
      'template my-archive.xlsx',
      'check my-archive.xlsx',
      'publish my-archive.xlsx',
      'serve',
    ]);
    const [template = '', check = '', publish = '', serve = ''] = commands;
    expect(await run(template)).toMatchObject({ code: 0, stderr: '' });
    const checked = await run(check);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(start).toContain(`\n${checked.stdout}`);
    expect(await run(publish)).toMatchObject({ code: 0, stderr: '' });
    const server = startProcess(here(serve), settings);
    try {
      await server.said(/Stop with Ctrl-C/);
      const response = await fetch(`http://127.0.0.1:${settings['PORT']}/en/api/persons`);
      expect(await response.json()).toMatchObject({ count: 2, total: 8 });
    } finally {
      server.kill('SIGTERM');
      await server.ended;
    }
  });

  test('a mistake is named as it says', async () => {
    const workbook = await openWorkbook(join(folder, 'my-archive.xlsx'));
    const sheets = [];
    for (const { name, rows } of workbook.sheets) {
      const [header = [], ...more] = await Array.fromAsync(rows(), ({ cells }) => cells.map(String));
      const columns = header.map((each) => ({ header: each, type: 'text' as const }));
      const changed = more.map((row) => row.map((cell) => cell.replace('1526-02-19', '19-02-1526')));
      sheets.push({ name, columns, rows: changed });
    }
    workbook.close();
    await writeFile(join(folder, 'my-archive.xlsx'), writeWorkbook(sheets));
    const { code, stderr } = await run('check my-archive.xlsx');
    expect(code).toBe(1);
    expect(start).toContain(`\n${stderr}`);
  });
});
