import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveDescriptionSchema, fileObject } from '@archiefkast/bundle';
import { ARCHIVE_COLUMNS, openWorkbook, TABLES, templateTables, writeWorkbook } from '@archiefkast/formats';
import { describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
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

  test('a mistake is named as it says', async () => {
    const folder = await temporaryFolder();
    await runApiHere(['template', join(folder, 'my-archive.xlsx')]);
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
    const { code, stderr } = await runApiHere(['check', join(folder, 'my-archive.xlsx')]);
    expect(code).toBe(1);
    expect(start).toContain(`\n${stderr.replaceAll(`${folder}/`, '')}`);
  });
});
