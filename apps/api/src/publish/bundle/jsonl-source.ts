import { join } from 'node:path';
import { readTextLines } from '@archiefkast/system';
import type { Kind } from '@archiefkast/types';
import { readArchiveDescription } from './archive-description.ts';
import { type FaultList, fileOf, parseJson } from './faults.ts';
import { READING_ORDER } from './record-schemas.ts';
import type { RecordSource, SourceRecord } from './record-source.ts';
import { SUPPLEMENT_FILE } from './supplements.ts';

/** Opens a bundle of JSON lines. Faults of the description of the archive are added to `faults`. */
export async function openJsonLines(folder: string, faults: FaultList): Promise<RecordSource> {
  const archive = await readArchiveDescription(folder, faults);
  const unread: Kind[] = [];
  for (const kind of READING_ORDER) {
    const reason = await otherFormat(join(folder, fileOf(kind)));
    if (reason === undefined) continue;
    faults.add({ file: fileOf(kind), reason }, 'table');
    unread.push(kind);
  }
  return {
    archive,
    unread,
    supplement: join(folder, SUPPLEMENT_FILE),
    fileOf,
    at: (kind, line, field) => ({ file: fileOf(kind), line, ...(field === undefined ? {} : { field }) }),
    records: (kind) => readRecords(join(folder, fileOf(kind))),
    close() {},
  };
}

async function* readRecords(path: string): AsyncGenerator<SourceRecord> {
  for await (const { number: at, text } of readTextLines(path)) {
    if (text === undefined) yield { at, value: undefined, length: 0, reason: 'is not UTF-8 text' };
    else yield { at, ...parseJson(text), length: text.length };
  }
}

/** Why a file is not JSON lines, judging by its first line; undefined if it may be. */
async function otherFormat(path: string): Promise<string | undefined> {
  for await (const { text = '' } of readTextLines(path)) {
    const start = text.trim();
    if (start.startsWith('['))
      return 'is a JSON array; expected one record per line, without brackets and commas';
    if (start === '{') return 'is JSON spread over several lines; expected one record per line';
    if (/^"?\w+"?[,;\t]/.test(start)) return 'is a CSV file; its name should end in .csv';
    break;
  }
  return undefined;
}
