import { randomUUID } from 'node:crypto';
import { COLLECTIONS, KINDS } from '@archiefkast/types';
import { Document, isScalar, visit } from 'yaml';
import type { FaultList } from '../../publish/bundle/faults.ts';
import { type DraftRule, draftRules } from './draft-rules.ts';
import { type DraftTable, readDraftTables } from './read-draft-tables.ts';

/** Column at which comments begin, where the text before allows it. */
const COMMENT = 64;

/**
 * Drafts a map for files, by the names of their columns and the texts in them. Every line has a comment that says why.
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
    `# Then: archive-api import ${paths.map((path) => quoteWord(path)).join(' ')} --map <this file> --out <new folder>`,
    '',
    ...archiveLines(tables, rules),
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

function archiveLines([first]: readonly DraftTable[], rules: readonly DraftRule[]): string[] {
  const title = first?.description.file.replace(/\.\w+$/, '') ?? '';
  const isPartial = rules.some(({ fields }) => [...fields.values()].some((guess) => guess.isPartial));
  return [
    'archive:',
    commented(`  uuid: ${randomUUID()}`, 'keep it: the addresses of the records are made from it'),
    commented(`  title_nl: ${inline(title)}`, 'the name of your archive, in Dutch'),
    commented(`  title_en: ${inline(title)}`, 'and in English'),
    ...(isPartial ? [commented('  partial_dates: first-day', 'there are dates without an exact day')] : []),
  ];
}

function sourceLines({ source, description }: DraftTable): string[] {
  const { file, sheet, header, encoding, delimiter } = description;
  const empty = source.columns.filter((_, column) =>
    source.rows.every(({ cells }) => (cells[column] ?? '') === ''),
  );
  return [
    `  ${inline(source.name)}:`,
    commented(`    file: ${inline(file)}`, `rows: ${source.rows.length}, columns: ${source.columns.length}`),
    ...(sheet === undefined ? [] : [commented(`    sheet: ${inline(sheet)}`, 'one of several')]),
    ...(header === undefined
      ? []
      : [commented(`    header: ${header}`, 'the row with the names of the columns')]),
    ...(delimiter === undefined
      ? []
      : [commented(`    delimiter: ${JSON.stringify(delimiter)}`, 'the first row does not show it')]),
    ...(encoding === undefined
      ? []
      : [commented(`    encoding: ${encoding}`, 'not UTF-8; look at letters with accents')]),
    ...(empty.length === 0 ? [] : [`    # without a text: ${empty.join(', ')}`]),
  ];
}

function ruleLines({ from, why, key, fields }: DraftRule): string[] {
  return [
    commented(`  - from: ${inline(from)}`, why),
    ...(key.skipEmpty === undefined
      ? []
      : [commented(`    skip: ${inline({ [key.skipEmpty]: '' })}`, 'rows without an id')]),
    commented(`    ${key.step}: ${inline(short(key.value))}`, key.why),
    '    fields:',
    ...[...fields].map(([field, guess]) =>
      commented(`      ${inline(field)}: ${inline(short(guess.value))}`, guess.why),
    ),
  ];
}

/** A value in its shortest form: a column by its name alone. */
function short(value: object): unknown {
  const [entry, second] = Object.entries(value);
  if (entry?.[0] === 'column' && !second) return entry[1];
  return 'date' in value && Array.isArray(value.date) && value.date.length === 1
    ? { ...value, date: value.date[0] }
    : value;
}

/** Steps whose texts are quoted, because they are separators. */
const SEPARATORS = new Set(['list', 'with', 'after', 'after_last', 'before', 'before_last']);

/** A value on one line. */
function inline(value: unknown): string {
  const document = new Document(value);
  visit(document, {
    Pair(_, { key, value: text }) {
      if (isScalar(key) && isScalar(text) && SEPARATORS.has(String(key.value))) text.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ collectionStyle: 'flow', lineWidth: 0 }).trim();
}

function commented(line: string, comment: string): string {
  return `${line.padEnd(COMMENT)} # ${comment.replaceAll(/\s+/g, ' ')}`;
}

function quoteWord(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
