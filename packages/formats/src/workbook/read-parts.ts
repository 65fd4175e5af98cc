import type { Readable } from 'node:stream';
import { fromCellText } from './cell-text.ts';
import { isDateFormat } from './date-formats.ts';
import { parseWhole } from './parse-xml.ts';

/** What `workbook.xml` says. */
export interface WorkbookPart {
  is1904: boolean;
  sheets: { name: string; relation: string }[];
}

/** Reads `workbook.xml`: the sheets in order, and the system of dates. */
export async function readWorkbookPart(stream: Readable): Promise<WorkbookPart> {
  const part: WorkbookPart = { is1904: false, sheets: [] };
  await parseWhole(stream, {
    open(name, attributes) {
      if (name === 'workbookPr') part.is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const [, relation = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      part.sheets.push({ name: attributes['name'] ?? '', relation });
    },
  });
  return part;
}

/** Reads the relations of a part: their targets by id. */
export async function readRelations(
  stream: Readable,
): Promise<Map<string, { type: string; target: string }>> {
  const relations = new Map<string, { type: string; target: string }>();
  await parseWhole(stream, {
    open(name, { Id = '', Target = '', Type = '' }) {
      if (name === 'Relationship') relations.set(Id, { type: Type.split('/').at(-1) ?? '', target: Target });
    },
  });
  return relations;
}

/** Reads `styles.xml`: whether the cells of each style are dates. */
export async function readDateStyles(stream: Readable): Promise<boolean[]> {
  const codes = new Map<number, string>();
  const styles: number[] = [];
  let isInCells = false;
  await parseWhole(stream, {
    open(name, attributes) {
      const number = Number(attributes['numFmtId'] ?? 0);
      if (name === 'numFmt') codes.set(number, attributes['formatCode'] ?? '');
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells) styles.push(number);
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return styles.map((number) => isDateFormat(number, codes.get(number)));
}

/** Reads `sharedStrings.xml`: the texts that cells name by number, without their markup. */
export async function readSharedStrings(stream: Readable): Promise<string[]> {
  const strings: string[] = [];
  const text = createTextHandler();
  await parseWhole(stream, {
    open(name) {
      if (name === 'si') text.begin();
      text.open(name);
    },
    text: text.add,
    close(name) {
      text.close(name);
      if (name === 'si') strings.push(text.end());
    },
  });
  return strings;
}

/** Collects the text of an element that may hold runs; readings of East Asian characters (`rPh`) are left out. */
export function createTextHandler() {
  let text = '';
  let isText = false;
  let isReading = false;
  return {
    begin(): void {
      text = '';
    },
    open(name: string): void {
      if (name === 'rPh') isReading = true;
      if (name === 't') isText = true;
    },
    add(more: string): void {
      if (isText && !isReading) text += more;
    },
    close(name: string): void {
      if (name === 'rPh') isReading = false;
      if (name === 't') isText = false;
    },
    end: () => fromCellText(text),
  };
}
