import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readCsv, writeWorkbook } from '@archiefkast/formats';

/** Writes a workbook whose sheets are given as CSV, by name. */
export async function writeSheets(path: string, sheets: Readonly<Record<string, string>>): Promise<string> {
  const contents = [];
  for (const [name, csv] of Object.entries(sheets)) {
    const rows: string[][] = [];
    for await (const { cells } of readCsv(Readable.from([Buffer.from(csv)]))) rows.push(cells);
    const [header = [], ...others] = rows;
    contents.push({
      name,
      columns: header.map((each) => ({ header: each, type: 'text' as const })),
      rows: others,
    });
  }
  await writeFile(path, await buffer(writeWorkbook(contents)));
  return path;
}
