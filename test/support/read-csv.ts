/** Parses CSV strictly by RFC 4180, independently of the code that writes it. @throws Error if it is invalid */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy;
  let end = 0;
  for (const [whole, cell = '', separator] of text.matchAll(cells)) {
    end += whole.length;
    row.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (separator === ',') continue;
    rows.push(row);
    row = [];
  }
  if (end !== text.length) throw new Error(`invalid CSV from character ${end}: ${text.slice(end, end + 40)}`);
  return rows;
}
