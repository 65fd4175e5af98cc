import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkbook } from '@archiefkast/formats';
import { COLLECTIONS, KINDS, LANGUAGES } from '@archiefkast/types';
import { expect, type TestContext, test } from 'vitest';
import { runHere } from '../../faults/run-here.ts';
import { serveBundle } from '../../faults/serve-sample.ts';
import { temporaryFolder } from '../../faults/temporary-folder.ts';
import { runApiHere } from '../../support/api-here.ts';
import { needs } from '../../support/programs.ts';
import { SAMPLE } from '../../support/sample.ts';
import { describeEngines, type Engine } from '../../support/test-database.ts';
import { savedByLibreOffice } from './save-in-office.ts';

/** The archive: the sample, or the bundle that an environment variable names. */
const BUNDLE = process.env['CAMPAIGN_BUNDLE'] ?? SAMPLE;

/** A harvest of a served bundle: its folder, and its lines without the base URL. */
async function harvestOf(context: TestContext, engine: Engine, bundle: string, language: string) {
  const server = await serveBundle(context, engine, bundle);
  const folder = await temporaryFolder(context);
  const command = ['harvest', '--base-url', server.baseUrl, '--lang', language, '--out', folder];
  const { code } = await runHere([...command, '--format', 'jsonl']);
  expect(code).toBe(0);
  for (const tables of ['tables', 'tables.xlsx'])
    expect(await runApiHere(['convert', folder, join(folder, tables)])).toMatchObject({ code: 0 });
  const texts = KINDS.map((kind) => readFile(join(folder, `${COLLECTIONS[kind]}.jsonl`), 'utf8'));
  const lines = (await Promise.all(texts)).map((text) =>
    // The harvested archive keeps serving its files: a copy has their addresses there.
    text.replaceAll(server.baseUrl, '').replaceAll(/http:\/\/127\.0\.0\.1:\d+(?=\/media\/)/g, ''),
  );
  return { folder, lines };
}

/** A hash of the rows of each sheet of a harvest, without the uuid that it has made for itself. */
async function sheetsOf(file: string): Promise<Map<string, string>> {
  const workbook = await openWorkbook(file);
  const sheets = new Map<string, string>();
  for (const { name, rows } of workbook.sheets) {
    const hash = createHash('sha256');
    for await (const { number, cells } of rows()) {
      const own = name === 'archive' && number === 2 ? cells.slice(1) : cells;
      hash.update(JSON.stringify([number, own]));
    }
    sheets.set(name, hash.digest('hex'));
  }
  workbook.close();
  return sheets;
}

const MINUTES = 20;

describeEngines('a harvest published from tables gives the same harvest (%s)', (engine) => {
  test.for(LANGUAGES)(
    'in %s: CSV files, a workbook, and the workbook as saved by LibreOffice',
    { timeout: MINUTES * 60_000, ...needs('soffice') },
    async (language, context) => {
      const { folder, lines } = await harvestOf(context, engine, BUNDLE, language);
      const workbook = join(folder, 'tables.xlsx');
      const saved = await savedByLibreOffice(context, workbook);
      for (const tables of [join(folder, 'tables'), workbook, saved]) {
        const again = await harvestOf(context, engine, tables, language);
        expect(again.lines, tables).toEqual(lines);
        expect(await sheetsOf(join(again.folder, 'tables.xlsx'))).toEqual(await sheetsOf(workbook));
      }
    },
  );
});
