import { open } from 'node:fs/promises';
import { extname } from 'node:path';

const AS_XLSX = 'open it in a spreadsheet program and save it as an Excel workbook (.xlsx)';

const ONE_TABLE =
  'is one table; expected the folder with all tables, persons.csv, subjects.csv, locations.csv and events.csv, which archive-api import makes of other tables';

/** Formats of files that are not workbooks, by extension, with what to do. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.ods': `is an OpenDocument spreadsheet (.ods); ${AS_XLSX}`,
  '.xls': `is a workbook of Excel 97–2003 (.xls); ${AS_XLSX}`,
  '.xlsb': `is a binary workbook (.xlsb); ${AS_XLSX}`,
  '.xlsm': `is a workbook with macros (.xlsm); ${AS_XLSX}`,
  '.xltx': `is a template of workbooks (.xltx); ${AS_XLSX}`,
  '.numbers': 'is a spreadsheet of Numbers; export it as an Excel workbook (.xlsx)',
  ...{ '.csv': ONE_TABLE, '.tsv': ONE_TABLE, '.tab': ONE_TABLE, '.txt': ONE_TABLE },
  '.jsonl':
    'is one file of a bundle; expected its folder, with persons.jsonl, subjects.jsonl, locations.jsonl and events.jsonl',
};

/** The signature of OLE files: .xls workbooks, and .xlsx workbooks that are encrypted. */
const OLE = 'd0cf11e0a1b11ae1';

/** The stream of an encrypted workbook, as OLE names it ([MS-OFFCRYPTO] 2.3.4). */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

const SECTOR = 4096;

/**
 * Describes a file that is not a workbook (.xlsx), with what to do about it.
 *
 * @returns undefined if its content and name say nothing more
 */
export async function describeFile(path: string): Promise<string | undefined> {
  return (await describeContent(path)) ?? BY_EXTENSION[extname(path).toLowerCase()];
}

/** Describes a file by its content, whatever its name: undefined if it may be text or a workbook (.xlsx). */
export async function describeContent(path: string): Promise<string | undefined> {
  await using file = await open(path);
  const { size } = await file.stat();
  if (size === 0) return 'is empty (0 bytes); copy or save it again';
  const read = async (position: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SECTOR), 0, SECTOR, position);
    return buffer.subarray(0, bytesRead);
  };
  const head = await read(0);
  if (head.toString('hex', 0, 8) === OLE) {
    // The directory, which names the streams, starts in the sector that the header names ([MS-CFB] 2.2).
    const directory = head.length < 52 ? 0 : (head.readUInt32LE(48) + 1) << head.readUInt16LE(30);
    return (await read(directory)).includes(ENCRYPTED)
      ? 'is protected by a password; open it, remove the password and save it'
      : BY_EXTENSION['.xls'];
  }
  if (/mimetypeapplication\/vnd\.oasis\.opendocument\.spreadsheet/.test(head.toString('latin1', 0, 128))) {
    return BY_EXTENSION['.ods'];
  }
  if (/^\s*<(!doctype|html|\?xml|table)/i.test(head.toString('utf8'))) {
    return `is HTML or XML, whatever its name says; ${AS_XLSX}`;
  }
  return undefined;
}
