import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBundle } from '@archiefkast/archive-api/dist/publish/bundle/check-bundle.js';
import { BundleError, describeFault } from '@archiefkast/archive-api/dist/publish/bundle/faults.js';
import { withBundle } from '@archiefkast/archive-api/dist/publish/bundle/open-bundle.js';
import { afterAll, beforeAll } from 'vitest';
import { rowXml, zipWorkbook } from '../../packages/formats/testing/zip-workbook.ts';

export const ARCHIVE = '3f1d2c4b-5a69-4788-9b0c-1d2e3f405162';

/** A small archive without faults, whose only warnings are about missing English. */
export const TABLES = {
  archive: `uuid,title_nl,title_en\n${ARCHIVE},Proef,Test\n`,
  subjects: 'id,name_nl,parent\n1,Handel,\n2,Scheepvaart,Handel\n',
  persons:
    'id,title_nl,first_name,last_name,birth_date,subjects,image_url,image_credit,image_copyright\n' +
    '1,Anna Vos,Anna,Vos,1850-05-12,Handel,https://a.test/1.jpg,RA,PD\n' +
    '2,Piet de Wit,Piet,de Wit,,Scheepvaart|1,,,\n',
  locations:
    'id,name_nl,latitude,longitude\n1,Waag,52.3728,4.9003\n2,Beurs,52.3754,4.8963\n3,Werf,52.3710,4.9130\n',
  events: 'id,name_nl,date,location,persons\n1,Opening,1611-08-01,Beurs,Anna Vos|2\n',
};

type Tables = Partial<Record<keyof typeof TABLES | 'files', string | Buffer | undefined>>;

/** The folder of the bundles of a test file. */
export let folder: string;

/** Makes the folder for a test file, and deletes it afterwards. */
export function useFolder(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-mistakes-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
}

/** Writes a file of the test. */
export async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const file = join(await mkdtemp(join(folder, 'file-')), name);
  await writeFile(file, content);
  return file;
}

/** A small archive as CSV files, with other tables and more files. */
export async function folderOf(tables: Tables, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const bundle = await mkdtemp(join(folder, 'bundle-'));
  for (const [name, text] of Object.entries({ ...TABLES, ...tables })) {
    if (text !== undefined) await writeFile(join(bundle, `${name}.csv`), text);
  }
  for (const [name, text] of Object.entries(more)) await writeFile(join(bundle, name), text);
  return bundle;
}

/** The same archive as a workbook; rows of persons as XML. */
export async function workbookOf(
  tables: Tables,
  personRows?: (xml: string) => string,
  after = '',
): Promise<string> {
  const cells = (text: string | Buffer) =>
    String(text)
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
  const { persons, ...others } = { ...TABLES, ...tables };
  const sheets = Object.entries(others).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, cells(text)] as const],
  );
  const rows = cells(persons ?? '')
    .map(rowXml)
    .join('');
  return zipWorkbook(join(await mkdtemp(join(folder, 'workbook-')), 'archief.xlsx'), {
    sheetData: `<sheetData>${personRows?.(rows) ?? rows}</sheetData>${after}`,
    sheets: Object.fromEntries(sheets),
  });
}

/**
 * The result of checking a bundle: its faults, or that it has none, and its warnings except those about English. Folders
 * are `…`, random uuids `(uuid)`.
 */
export async function said(path: string, media?: string): Promise<string[]> {
  const lines = await withBundle(path, (opened) => checkBundle(opened, () => {}, media)).then(
    ({ warnings }) =>
      warnings.shown
        .filter(({ code }) => code !== 'no-english')
        .map((warning) => `warning: ${describeFault(warning)}`),
    (error: unknown) => {
      if (error instanceof BundleError) return error.message.split('\n');
      throw error;
    },
  );
  return lines.map((line) =>
    line
      .replaceAll(/\/\S*\/(?:file|bundle|workbook|jsonl)-\w{6}/g, '…')
      .replaceAll(folder, '…')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (uuid) => (uuid === ARCHIVE ? uuid : '(uuid)')),
  );
}

export const replaced = (name: keyof typeof TABLES, from: string, to: string) => ({
  [name]: TABLES[name].replace(from, to),
});

export const persons = (from: string, to: string) => () => folderOf(replaced('persons', from, to));
export const locations = (from: string, to: string) => () => folderOf(replaced('locations', from, to));

/** A bundle of JSON lines with these persons and subjects. */
export async function jsonl(persons: string, subjects = ''): Promise<string> {
  const bundle = await mkdtemp(join(folder, 'jsonl-'));
  for (const name of ['locations', 'events']) await writeFile(join(bundle, `${name}.jsonl`), '');
  await writeFile(join(bundle, 'subjects.jsonl'), subjects);
  await writeFile(join(bundle, 'persons.jsonl'), persons);
  return bundle;
}
