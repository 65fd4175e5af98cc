import type { Fields } from '@archiefkast/types/internal';

/** The records of a block of JSON lines. */
export function recordsOf<Item extends object = Fields>(block: Buffer): Item[] {
  const records: Item[] = [];
  // Line by line: the text of a whole page can be megabytes.
  for (let begin = 0; begin < block.length; ) {
    const end = block.indexOf('\n', begin);
    records.push(JSON.parse(block.toString('utf8', begin, end)));
    begin = end + 1;
  }
  return records;
}

/** Records as a block of JSON lines. */
export function linesOf(records: readonly object[]): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}
