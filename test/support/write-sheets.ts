import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readCsv, writeWorkbook } from '@archiefkast/formats';

/** The rows of a text in CSV. */
export function rowsOfCsv(csv: string): Promise<string[][]> {
  return Array.fromAsync(readCsv(Readable.from([Buffer.from(csv)])), ({ cells }) => cells);
}

/** Writes a workbook whose sheets are given as CSV, by name. */
export async function writeSheets(path: string, sheets: Readonly<Record<string, string>>): Promise<string> {
  const contents = [];
  for (const [name, csv] of Object.entries(sheets)) {
    const [header = [], ...rows] = await rowsOfCsv(csv);
    contents.push({ name, columns: header.map((each) => ({ header: each, type: 'text' as const })), rows });
  }
  await writeFile(path, await buffer(writeWorkbook(contents)));
  return path;
}
