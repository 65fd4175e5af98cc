import type { Kind } from '@archiefkast/types';
import { type BundleRecord, MULTILINGUAL } from './record-schemas.ts';

/** Says what is wrong with a text, if anything. */
export type Doubt = (text: string, isHtml: boolean) => string | undefined;

/** Calls `look` with every text of a record, of its image and of its files that is not empty. */
export function eachText(
  record: BundleRecord[Kind],
  kind: Kind,
  look: (text: string, isHtml: boolean, field: string) => void,
): void {
  const { nl, en } = MULTILINGUAL[kind].html;
  const walk = (value: unknown, name: string, field: string): void => {
    if (typeof value === 'string') {
      if (value !== '') look(value, name === nl || name === en, field);
    } else if (Array.isArray(value)) {
      for (const [place, one] of value.entries())
        if (typeof one === 'object') walk(one, '', `${field}[${place}]`);
    } else if (typeof value === 'object' && value) {
      for (const [name, one] of Object.entries(value))
        walk(one, name, field === '' ? name : `${field}.${name}`);
    }
  };
  walk(record, '', '');
}

/** What a spreadsheet evaluates as a formula in CSV: a text that begins with one of these signs, and is no number. */
const FORMULA = /^(?![+-]?\d+(?:[.,]\d+)?$)[=+\-@\t\r]./s;

/** The tags at the start of HTML, which CSV leaves out. */
const TAGS = /^(?:\s*<[^<>]*>)+/;

/** Characters of HTML that are searched for the start of its text. */
const HEAD = 200;

/** Why a spreadsheet may evaluate a text as a formula when it opens it as CSV; undefined if it does not. */
export function formulaIn(value: string): string | undefined {
  const text = value.startsWith('<') ? value.slice(0, HEAD).replace(TAGS, '') : value;
  if (!FORMULA.test(text)) return undefined;
  return `starts with ${JSON.stringify(text.charAt(0))}: a spreadsheet may evaluate it as a formula`;
}

/** The second and later bytes of a letter in UTF-8, read as Windows-1252 and as Mac OS Roman or code page 850. */
const IN_1252 = '[\\u0080-\\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]';

/** A sign of damage in a text, and what it says. */
type Sign = readonly [sign: RegExp, reason: string];

const DAMAGE: readonly Sign[] = [
  [/\ufffd|\u00ef\u00bf\u00bd/, 'contains a replacement character (U+FFFD), where a letter was lost'],
  [
    new RegExp(
      `[ÃÂ]${IN_1252}|â€${IN_1252}|ï»¿|[ÄÅ][\\u0080-\\u00bf]|[√├┬][^\\s\\p{ASCII}]|‚Ä[^\\s\\p{ASCII}]`,
      'u',
    ),
    'looks like UTF-8 that was read in another encoding',
  ],
];

const INVISIBLE: readonly Sign[] = [
  [/[\u007f-\u009f]/, 'contains a control character'],
  [
    /[\u200b\u2060\ufeff]|^[\u200c-\u200f\u202a-\u202e]|[\u200c-\u200f\u202a-\u202e]$/,
    'contains an invisible character',
  ],
];

const ESCAPED: Sign = [
  /\\u[\da-f]{4}|\\x[\da-f]{2}|[%=]C[2-5][%=][89AB][\da-f]/i,
  'contains an escaped character',
];

/** An entity that readers see: in plain text any, in HTML one whose `&` is escaped. */
const ENTITY: Sign = [
  /&(?:#\d{2,6}|#x[\da-f]{2,5}|[a-z]{2,8}\d{0,2});/i,
  'contains an HTML entity, which readers see',
];
const WRITTEN_ENTITY: Sign = [/&amp;(?:#\d{2,6}|#x[\da-f]{2,5}|[a-z]{2,8}\d{0,2});/i, ENTITY[1]];

/** Characters that a message shows before and after a sign of damage. */
const AROUND = 12;

function findSign(text: string, signs: readonly Sign[]): string | undefined {
  for (const [sign, reason] of signs) {
    const at = text.search(sign);
    if (at < 0) continue;
    const shown = JSON.stringify(text.slice(Math.max(0, at - AROUND), at + AROUND));
    return `${reason}: ${shown.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped)}`;
  }
  return undefined;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Why a text looks damaged by another encoding; undefined if it does not. */
export function damageIn(text: string): string | undefined {
  return findSign(text, DAMAGE);
}

/** The invisible or control character that a text has. */
export function invisibleIn(text: string): string | undefined {
  return findSign(text, INVISIBLE);
}

/** The entity or escaped character that readers of a text see; addresses may have them. */
export function escapeIn(text: string, isHtml: boolean): string | undefined {
  return /^https?:/.test(text) ? undefined : findSign(text, [ESCAPED, isHtml ? WRITTEN_ENTITY : ENTITY]);
}

/** Why a text is several addresses in one; undefined if it is not. */
export function addressesIn(text: string): string | undefined {
  return /^https?:\S+?[\s;,|]+https?:\/\//.test(text)
    ? 'contains several addresses; expected one, or | between them in a list of a table'
    : undefined;
}

/** Whether a text stands for the lack of one. */
export function isPlaceholder(text: string): boolean {
  const words =
    /^(?:n\.?\/?a\.?|null|none|unknown|onbekend|undefined|nvt|n\.v\.t\.|geen|[-\u2013\u2014]+|\?+)$/i;
  return (
    words.test(text) ||
    /^(?:nan|NaN|NAN)$/.test(text) ||
    /^#(?:N\/A|NULL!|REF!|VALUE!|NAME\?|NUM!|DIV\/0!)$/.test(text)
  );
}
