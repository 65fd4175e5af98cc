import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { COLLECTIONS, KINDS, LANGUAGES } from '@archiefkast/types';
import { expect, type TestContext, test } from 'vitest';
import { runHere } from '../../faults/run-here.ts';
import { serveBundle } from '../../faults/serve-sample.ts';
import { temporaryFolder } from '../../faults/temporary-folder.ts';
import { SAMPLE } from '../../support/sample.ts';
import { describeEngines, type Engine } from '../../support/test-database.ts';

/** The archive: the sample, or the bundle that an environment variable names. */
const BUNDLE = process.env['CAMPAIGN_BUNDLE'] ?? SAMPLE;

/** A harvest of a served bundle: its folder, and its lines without the base URL. */
async function harvestOf(context: TestContext, engine: Engine, bundle: string, language: string) {
  const server = await serveBundle(context, engine, bundle);
  const folder = await temporaryFolder(context);
  const command = ['harvest', '--base-url', server.baseUrl, '--lang', language, '--out', folder];
  const { code } = await runHere([...command, '--format', 'jsonl,tables,tables.xlsx']);
  expect(code).toBe(0);
  const texts = KINDS.map((kind) => readFile(join(folder, `${COLLECTIONS[kind]}.jsonl`), 'utf8'));
  const lines = (await Promise.all(texts)).map((text) =>
    // The harvested archive keeps serving its files: a copy has their addresses there.
    text.replaceAll(server.baseUrl, '').replaceAll(/http:\/\/127\.0\.0\.1:\d+(?=\/media\/)/g, ''),
  );
  return { folder, lines };
}

/** Opens a workbook in LibreOffice and saves it, in a separate folder. */
async function savedByLibreOffice(context: TestContext, file: string): Promise<string> {
  const folder = await temporaryFolder(context);
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const args = [
    '--headless',
    profile,
    '--convert-to',
    'xlsx:Calc MS Excel 2007 XML',
    '--outdir',
    folder,
    file,
  ];
  await promisify(execFile)('soffice', args);
  return join(folder, 'tables.xlsx');
}

const MINUTES = 20;

describeEngines('a harvest published from tables gives the same harvest (%s)', (engine) => {
  test.for(LANGUAGES)(
    'in %s: CSV files, a workbook, and the workbook as saved by LibreOffice',
    { timeout: MINUTES * 60_000 },
    async (language, context) => {
      const { folder, lines } = await harvestOf(context, engine, BUNDLE, language);
      const workbook = join(folder, 'tables.xlsx');
      const saved = await savedByLibreOffice(context, workbook);
      for (const tables of [join(folder, 'tables'), workbook, saved]) {
        const again = await harvestOf(context, engine, tables, language);
        expect(again.lines, tables).toEqual(lines);
        expect(await readFile(join(again.folder, 'tables.xlsx'))).toEqual(await readFile(workbook));
      }
    },
  );
});
