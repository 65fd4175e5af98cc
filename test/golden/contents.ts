import { writeFile } from 'node:fs/promises';
import { rowXml, writeZip, zipWorkbook } from '../../packages/formats/testing/zip-workbook.ts';
import { rowsOfCsv } from '../support/write-sheets.ts';

/** What a file holds: text; texts to replace and what by, in turn; or bytes that are no text. */
export type Content = string | string[] | Bytes | null;

interface Bytes {
  /** A text in another encoding, or bytes as hexadecimal digits. */
  latin1?: string;
  utf16le?: string;
  hex?: string;
  /** A zip file, with the texts of its entries. */
  zip?: Record<string, string>;
  /** An OLE file, with the name of its stream. */
  ole?: string;
  /** A workbook, with its sheets as CSV; the first is `persons`. */
  sheets?: Record<string, string>;
  /** What floats over the first sheet, as XML. */
  drawing?: string;
  /** Texts to replace in the XML of the first sheet and what by, in turn. */
  xml?: string[];
}

/** The files with the edits of a case. */
export function edited(
  files: Readonly<Record<string, Content>>,
  edits: Readonly<Record<string, Content>>,
): Record<string, Content> {
  const all = { ...files };
  for (const [name, edit] of Object.entries(edits)) {
    const content = all[name];
    if (!Array.isArray(edit)) all[name] = edit;
    else if (typeof content === 'string') all[name] = replaceIn(content, edit);
    else if (content && !Array.isArray(content)) all[name] = { ...content, xml: edit };
    else throw new Error(`expected a file to edit: ${name}`);
  }
  return all;
}

/** Writes a file, unless it is missing. */
export async function writeContent(path: string, content: Content): Promise<void> {
  if (content === null) return;
  if (typeof content === 'string') return writeFile(path, content);
  if (Array.isArray(content)) throw new Error(`expected what to edit: ${path}`);
  const { zip, ole, sheets, drawing, xml = [] } = content;
  if (zip) await writeZip(path, zip, false);
  if (ole !== undefined) await writeFile(path, compoundFile(ole));
  if (sheets) {
    const { persons = [], ...others } = Object.fromEntries(
      await Promise.all(
        Object.entries(sheets).map(async ([name, csv]) => [name, await rowsOfCsv(csv)] as const),
      ),
    );
    const sheet = `<sheetData>${persons.map(rowXml).join('')}</sheetData>`;
    await zipWorkbook(path, { sheetData: replaceIn(sheet, xml), drawing, sheets: others });
  }
  for (const encoding of ['latin1', 'utf16le', 'hex'] as const) {
    const text = content[encoding];
    if (text !== undefined) await writeFile(path, Buffer.from(text, encoding));
  }
}

function replaceIn(text: string, edit: readonly string[]): string {
  const [from, to, ...more] = edit;
  if (from === undefined) return text;
  if (to === undefined || !text.includes(from)) throw new Error(`expected a text to replace: ${from}`);
  return replaceIn(
    text.replace(from, () => to),
    more,
  );
}

/** An OLE file with one stream: its header names the sector of the directory, which names the stream. */
function compoundFile(stream: string): Buffer {
  const file = Buffer.alloc(1536);
  file.write('d0cf11e0a1b11ae1', 'hex');
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(1, 48);
  file.write(stream, 1024 + 128, 'utf16le');
  return file;
}
