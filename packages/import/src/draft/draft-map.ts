import { randomUUID } from 'node:crypto';
import type { FaultList } from '@archiefkast/bundle';
import { conceptOf } from '@archiefkast/formats';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { Document } from 'yaml';
import { type DraftRule, draftRules } from './draft-rules.ts';
import { examplesOf } from './draft-values.ts';
import { type DraftTable, readDraftTables } from './read-draft-tables.ts';

/** Column at which comments begin, where the text before allows it. */
const COMMENT = 64;

/**
 * Drafts a map for files, by the names of their columns and the texts in them. Every line has a comment that says why; a column
 * that no field has is a comment with three of its texts.
 *
 * @param faults files that cannot be read are added to it
 * @returns YAML
 * @throws BundleError if files cannot be read
 */
export async function draftMap(paths: readonly string[], faults: FaultList): Promise<string> {
  const tables = await readDraftTables(paths, faults);
  const rules = draftRules(tables);
  const lines = [
    '# A first map, made by archive-api import --draft. Read it line by line, and change what is not right.',
    '# After FIELD stand columns that no field has: write the name of one there, and remove the #. Until then import keeps them with _.',
    '# Then: archive-api import <the same files> --map <this file> --out <new folder>',
    '',
    ...archiveLines(tables),
    '',
    'sources:',
    ...tables.flatMap(sourceLines),
  ];
  for (const kind of KINDS) {
    const ofKind = rules.filter((rule) => rule.kind === kind);
    if (ofKind.length > 0) lines.push('', `${COLLECTIONS[kind]}:`, ...ofKind.flatMap(ruleLines));
  }
  return `${lines.join('\n')}\n`;
}

function archiveLines([first]: readonly DraftTable[]): string[] {
  const title = inline(first?.description.file.replace(/\.\w+$/, '') ?? '');
  return [
    'archive:',
    commented(`  uuid: ${randomUUID()}`, 'keep it: the addresses of the records are made from it'),
    commented(`  title_nl: ${title}`, 'the name of your archive, in Dutch'),
    commented(`  title_en: ${title}`, 'and in English'),
    commented('  partial_dates: first-day', 'dates without an exact day are allowed'),
  ];
}

function sourceLines({ source, description }: DraftTable): string[] {
  const { file, sheet, header, characters, encoding } = description;
  const isClear = source.columns.some(conceptOf) || header === 'none';
  const asks = isClear ? '' : '; IS THE FIRST ROW A HEADER? otherwise header: none';
  const accented = source.rows.flatMap(({ cells }) => cells.filter((cell) => /\P{ASCII}/u.test(cell)));
  const steps: [step: string, value: unknown, why: string][] = [
    ['file', file, `rows: ${source.rows.length}, columns: ${source.columns.length}${asks}`],
    ['sheet', sheet, 'one of several'],
    ['header', Number(header) || header, 'the row with the names of the columns'],
    ['encoding', encoding, `not UTF-8: ARE THESE RIGHT? ${examplesOf(accented)}`],
    ['characters', characters, 'line ends and repetitions of FileMaker'],
  ];
  return [
    `  ${inline(source.name)}:`,
    ...steps.flatMap(([step, value, why]) =>
      value === undefined ? [] : commented(`    ${step}: ${inline(value)}`, why),
    ),
    ...source.notes.map((note) => `    # ${oneLine(note)}`),
  ];
}

function ruleLines({ source, why, key, fields, left }: DraftRule): string[] {
  const line = (name: string, value: object, comment: string) =>
    commented(`${name}: ${inline(short(value))}`, comment);
  return [
    commented(`  - from: ${inline(source.name)}`, why),
    line(`    ${key.step}`, key.value, key.why),
    ...(key.repeated ? [`    repeated: ${key.repeated}`] : []),
    `    fields:${fields.size === 0 ? ' {}' : ''}`,
    ...[...fields].map(([field, drafted]) => line(`      ${inline(field)}`, drafted.value, drafted.why)),
    ...[...left].map(([{ name, texts }, reason]) =>
      line('      # FIELD', { column: name }, `${reason}: ${examplesOf(texts)}`),
    ),
  ];
}

/** A value in its shortest form: a column by its name alone. */
function short(value: object): unknown {
  const [entry, second] = Object.entries(value).filter(([, step]) => step !== undefined);
  if (entry?.[0] === 'column' && !second) return entry[1];
  return 'date' in value && Array.isArray(value.date) && value.date.length === 1
    ? { ...value, date: value.date[0] }
    : value;
}

/** A value on one line. */
function inline(value: unknown): string {
  return new Document(value).toString({ collectionStyle: 'flow', lineWidth: 0 }).trim();
}

function commented(line: string, comment: string): string {
  return `${line.padEnd(COMMENT)} # ${oneLine(comment)}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{C}]+/gu, ' ');
}
