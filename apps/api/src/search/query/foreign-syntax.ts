import { wordsOf } from '../fields/fold.ts';
import { type ForeignUse, SHORTEST_START } from './query.ts';

/** A text with foreign syntax, and the texts in its place. */
export interface Foreign {
  use: ForeignUse;
  instead: readonly string[];
}

/** A bracket in a word. */
export const BRACKET = /[()[\]{}]/;
const BRACKETS = /[()[\]{}]/g;
const WILDCARD = /[*?]|%(?=\p{L})|(?<=\p{L})%/u;
const WILDCARDS = /[*?%]/;
const STARTS_SO = new RegExp(`[\\p{L}\\p{N}]{${SHORTEST_START}}\\*$`, 'u');
const FUZZY = /(?:~[\d.]*|\^[\d.]*)$|^[~^](?=.)/;
const JOINED = /(?<=\p{L})\s*(?:\|+|&&)\s*(?=\p{L})/gu;
const EXPRESSION = /^\/(.+)\/$/;
const APOSTROPHES = /^['‘’‚‹`´]([^'‘’‚‹›`´"]+)['’›`´]$/;

/** All records: that is what other engines find by `*`. */
export const EVERYTHING = 'kind:person OR kind:subject OR kind:location OR kind:event';

/** The foreign syntax of an unquoted word. */
export function foreignWord(text: string): Foreign | undefined {
  if (/^[*:]+$/.test(text) && text.includes('*')) return { use: 'wildcard', instead: [''] };
  if (/^[~^][\d.]+$/.test(text)) return { use: 'fuzzy', instead: [''] };
  if (wordsOf(text).length === 0) return undefined;
  const [, inner] = EXPRESSION.exec(text) ?? [];
  if (inner !== undefined) return { use: 'expression', instead: [wordsOf(inner).join(' ')] };
  if (/[:：]/.test(text)) return { use: 'colon', instead: [`"${text.replace(/"/g, '')}"`] };
  if (text.search(JOINED) >= 0) {
    return { use: 'operator', instead: [text.replace(JOINED, (by) => (by === '&&' ? ' AND ' : ' OR '))] };
  }
  if (FUZZY.test(text)) return { use: 'fuzzy', instead: [text.replace(FUZZY, '')] };
  if (/["“”]/.test(text)) return { use: 'quote', instead: [text.replace(/["“”]/g, ' ').trim()] };
  if (!WILDCARD.test(text) || startsSo(text)) return undefined;
  return { use: 'wildcard', instead: withoutWildcards(text) };
}

/** Whether a word stands for all that start so: its only wildcard is a `*` at its end. */
function startsSo(word: string): boolean {
  return STARTS_SO.test(word) && word.search(WILDCARDS) === word.length - 1;
}

/** The operators of other languages and engines, and those of this one in their place; the others join as a space does. */
export const FOREIGN_OPERATORS: Readonly<Record<string, string>> = {
  ...{ '&&': 'AND', '||': 'OR', '|': 'OR' },
  ...{ OF: 'OR', ODER: 'OR', OU: 'OR', XOR: 'OR' },
  ...{ NIET: 'NOT', NICHT: 'NOT', SAUF: 'NOT' },
};

/** What an operator is between whole clauses, by default a space. */
const JOINTS: Readonly<Record<string, string>> = { OR: ' OR ', NOT: ' -' };
const OPERATOR = / (AND|OR|NOT|&&|\|\|?|EN|OF|NIET)(?= |$) ?/g;
const IS_OPERATOR = /^(?:AND|OR|NOT|&&|\|\|?)$/;

/**
 * The foreign syntax of an unquoted value.
 *
 * @param field the name of the field
 * @param text the value, with single spaces
 * @param isOfWords whether a final `*` of a word has a meaning
 */
export function foreignValue(field: string, text: string, isOfWords: boolean): Foreign | undefined {
  const quoted = text.replace(/"/g, ' ');
  if (/^[([{]/.test(text) || !isBalanced(text)) {
    return { use: 'bracket', instead: [inBrackets(field, text), `"${quoted}"`] };
  }
  const [, operator = ''] = text.matchAll(OPERATOR).next().value ?? [];
  const isForeign = /^(?:EN|OF|NIET)$/.test(operator);
  if (operator !== '' && !(isForeign && isInCapitals(text))) {
    const words = quoted.split(' ');
    const clauses = words
      .slice(0, 1 + words.findLastIndex((word) => !IS_OPERATOR.test(word)))
      .join(' ')
      .replace(OPERATOR, (_, each: string) => `"${JOINTS[FOREIGN_OPERATORS[each] ?? each] ?? ' '}${field}:"`);
    return { use: 'operator', instead: [`"${clauses}"`, `"${quoted}"`] };
  }
  const [, inner] = APOSTROPHES.exec(text) ?? [];
  if (inner !== undefined) return { use: 'quote', instead: [`"${inner}"`] };
  const [, expression] = EXPRESSION.exec(text) ?? [];
  if (expression) return { use: 'expression', instead: [expression, `"${quoted}"`] };
  if (FUZZY.test(text)) return { use: 'fuzzy', instead: [text.replace(FUZZY, ''), `"${quoted}"`] };
  // A minus sign in a value belongs to it, as in a double name, except at its start.
  const signed = /^(?:[-+!](?=\p{L})|(.*?)\s+(?=[+!]\p{L}))(.*)$/u.exec(text);
  if (signed) {
    const [, value, rest = ''] = signed;
    return { use: 'operator', instead: [value === undefined ? rest : `"${value}" ${rest}`, `"${quoted}"`] };
  }
  const wild = text.split(/\s+/).filter((word) => WILDCARD.test(word));
  if (wild.every((word) => isOfWords && startsSo(word))) return undefined;
  return { use: 'wildcard', instead: [...withoutWildcards(text), `"${quoted}"`] };
}

/** Whether all letters of a text are capitals, so that no word stands out as an operator by its own. */
export function isInCapitals(text: string): boolean {
  return !/\p{Ll}/u.test(text);
}

/** Quoted texts, names of fields with their colon, and brackets. */
const BRACKETED = /"[^"]*"|(?<![a-z_])[a-z_]+:|[()[\]{}]/gi;

/** A text without brackets: as near to its meaning as can be said without. */
export function withoutBrackets(text: string): string {
  // -(a OR b)
  const plain = text.replace(/(?:-|\bNOT\s+)\(([^()":]*)\)/g, (_, inner: string) =>
    inner
      .trim()
      .split(/\s+(?:(?:OR|AND)\s+)?/)
      .map((each) => `-${each}`)
      .join(' '),
  );
  const parts: string[] = [];
  let at = 0;
  let isValue = false;
  for (const { 0: found, index } of plain.matchAll(BRACKETED)) {
    const between = plain.slice(at, index);
    // The value of a field ends at the bracket.
    const isEnd = isValue && found === ')' && between.trim() !== '';
    parts.push(isEnd ? `"${between.trim()}" ` : between, found.length === 1 ? ' ' : found);
    isValue = found.endsWith(':');
    at = index + found.length;
  }
  return [...parts, plain.slice(at)].join('').replace(/\s+/g, ' ').trim();
}

/** `"a" OR field:"b"` for `(a OR b)`, without the name of the first field. */
function inBrackets(field: string, text: string): string {
  const values = text
    .replace(BRACKETS, ' ')
    .trim()
    .split(/\s+(?:(?:OR|AND)\s+)?/);
  return values.map((value) => `"${value}"`).join(`${/\sOR\s/.test(text) ? ' OR' : ''} ${field}:`);
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** The parts of a text between its wildcards; first its start, if the only wildcard is a `%` at the end. */
function withoutWildcards(text: string): string[] {
  const parts = text
    .split(/[*?%]+/)
    .filter(Boolean)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  const start = STARTS_SO.test(`${parts}*`) && text === `${parts}%` ? [`${parts}*`] : [];
  return [...start, parts];
}
