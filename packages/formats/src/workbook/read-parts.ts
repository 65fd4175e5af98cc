import { type Part, parseWhole } from './parse-xml.ts';
import { SharedTexts } from './shared-texts.ts';
import { type DateSystem, isDateFormat } from './workbook-dates.ts';
import type { WorkbookLimits } from './workbook-limits.ts';
import { WorkbookError } from './workbook-limits.ts';

/** The content of `workbook.xml`. */
export interface WorkbookPart {
  dateSystem: DateSystem;
  sheets: { name: string; relation: string }[];
}

/** Reads `workbook.xml`: the sheets in order, and how days are counted. */
export async function readWorkbookPart(source: Part): Promise<WorkbookPart> {
  const part: WorkbookPart = { dateSystem: { is1904: false }, sheets: [] };
  await parseWhole(source, {
    open(name, attributes) {
      if (name === 'fileVersion') part.dateSystem.program = attributes['appName'];
      if (name === 'workbookPr') part.dateSystem.is1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const [, relation = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      part.sheets.push({ name: attributes['name'] ?? '', relation });
    },
  });
  return part;
}

/** Reads the relations of a part: their targets by id. */
export async function readRelations(part: Part): Promise<Map<string, { type: string; target: string }>> {
  const relations = new Map<string, { type: string; target: string }>();
  await parseWhole(part, {
    open(name, { Id = '', Target = '', Type = '' }) {
      if (name === 'Relationship') relations.set(Id, { type: Type.split('/').at(-1) ?? '', target: Target });
    },
  });
  return relations;
}

/**
 * Reads `styles.xml`: whether the cells of each style are dates.
 *
 * @throws WorkbookError if the number of styles or the length of a format exceeds the limits
 */
export async function readDateStyles(part: Part, limits: WorkbookLimits): Promise<boolean[]> {
  const formats = new Map<number, boolean>();
  const styles: number[] = [];
  let isInCells = false;
  await parseWhole(part, {
    open(name, attributes) {
      const number = Number(attributes['numFmtId'] ?? 0);
      if (name === 'numFmt') {
        const { formatCode: code = '' } = attributes;
        if (code.length > limits.formatCode) {
          throw new WorkbookError(
            `has number format ${number}, whose code has more than ${limits.formatCode} characters`,
          );
        }
        formats.set(number, isDateFormat(number, code));
      } else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells) styles.push(number);
      if (formats.size > limits.styles || styles.length > limits.styles) {
        throw new WorkbookError(`has more than ${limits.styles} cell styles or number formats`);
      }
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return styles.map((number) => formats.get(number) ?? isDateFormat(number, undefined));
}

/**
 * Reads `sharedStrings.xml`: the shared texts, without markup.
 *
 * @throws WorkbookError if they exceed the limits
 */
export async function readSharedTexts(part: Part, limits: WorkbookLimits): Promise<SharedTexts> {
  const bytes = part.isDense ? limits.bytes : limits.sharedBytes;
  const texts = new SharedTexts({ texts: limits.sharedTexts, bytes });
  const text = createTextHandler(limits.cellText, () => {
    throw new WorkbookError(
      `has more than ${limits.cellText} characters in shared text ${texts.count + 1}; spreadsheets allow 32767 in a cell`,
    );
  });
  await parseWhole(part, {
    open(name) {
      if (name === 'si') text.begin();
      text.open(name);
    },
    text: text.add,
    close(name) {
      text.close(name);
      if (name === 'si') texts.add(text.end());
    },
  });
  return texts;
}

/**
 * Collects the text of an element that may contain runs, with escapes; phonetic readings (`rPh`) are skipped.
 *
 * @param longest maximum length; `refuse` is called beyond it, and throws
 */
export function createTextHandler(longest: number, refuse: () => never) {
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
    /** Adds text. @returns whether it was kept */
    add(more: string): boolean {
      if (!isText || isReading) return false;
      text += more;
      if (text.length > longest) refuse();
      return true;
    },
    close(name: string): void {
      if (name === 'rPh') isReading = false;
      if (name === 't') isText = false;
    },
    end: () => text,
  };
}
