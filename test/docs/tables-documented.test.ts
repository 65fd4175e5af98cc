import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveDescriptionSchema } from '@archiefkast/bundle';
import { ARCHIVE_COLUMNS, openWorkbook, TABLES, templateTables, writeWorkbook } from '@archiefkast/formats';
import { describe, expect, test } from 'vitest';
import { runApiHere } from '../support/api-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const bundle = readFileSync(new URL('../../docs/bundle.md', import.meta.url), 'utf8');
/** The tutorial, in English and in Dutch. */
const TUTORIALS = ['start-your-archive', 'begin-uw-archief'];

describe('docs/bundle.md', () => {
  test('has every table', () => {
    for (const table of TABLES) expect(bundle).toContain(`\`${table}.csv\``);
  });

  test('every field of archive.json is a column', () => {
    const fields = new Set(ARCHIVE_COLUMNS.map(({ path: [field] }) => field));
    expect([...fields]).toEqual(Object.keys(archiveDescriptionSchema.shape));
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
