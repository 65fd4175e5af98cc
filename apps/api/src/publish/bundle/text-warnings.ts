import type { Kind } from '@archiefkast/types';
import type { BundleRecord } from './record-schemas.ts';

/** Reports a possible mistake. */
export type Warn = (field: string, reason: string) => void;

/** Looks for one sort of mistake in a record. */
export type Rule = (record: BundleRecord[Kind], kind: Kind, warn: Warn) => void;

/** A rule for every text of a record, its images and its files: it says what is wrong with it, if anything. */
export function inTexts(doubt: (text: string) => string | undefined): Rule {
  const look = (record: object, warn: Warn, within: string): void => {
    for (const [name, value] of Object.entries(record)) {
      if (typeof value === 'string') {
        const reason = value === '' ? undefined : doubt(value);
        if (reason) warn(within + name, reason);
      } else if (Array.isArray(value)) {
        for (const [place, one] of value.entries()) {
          if (typeof one === 'object' && one) look(one, warn, `${within}${name}[${place}].`);
        }
      } else if (typeof value === 'object' && value) look(value, warn, `${within}${name}.`);
    }
  };
  return (record, _, warn) => look(record, warn, '');
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

/** Signs of damage, in the order in which they are looked for, each with what it says. */
const DAMAGE: readonly (readonly [sign: RegExp, reason: string])[] = [
  [/\ufffd|\u00ef\u00bf\u00bd/, 'contains a replacement character (U+FFFD), where a letter was lost'],
  [
    new RegExp(
      `[ÃÂ]${IN_1252}|â€${IN_1252}|ï»¿|[ÄÅ][\\u0080-\\u00bf]|[√├┬][^\\s\\p{ASCII}]|‚Ä[^\\s\\p{ASCII}]`,
      'u',
    ),
    'looks like UTF-8 that was read in another encoding',
  ],
  [/[\u007f-\u009f]/, 'contains a control character'],
  [
    /[\u200b\u2060\ufeff]|^[\u200c-\u200f\u202a-\u202e]|[\u200c-\u200f\u202a-\u202e]$/,
    'contains an invisible character',
  ],
  [/\\u[\da-f]{4}|\\x[\da-f]{2}|[%=]C[2-5][%=][89AB][\da-f]/i, 'contains an escaped character'],
];

/** An entity that readers see: in plain text any, in HTML one whose `&` is escaped. */
const ENTITY = /&(?:#\d{2,6}|#x[\da-f]{2,5}|[a-z]{2,8}\d{0,2});/i;
const WRITTEN_ENTITY = /&amp;(?:#\d{2,6}|#x[\da-f]{2,5}|[a-z]{2,8}\d{0,2});/i;

/** Characters that a message shows before and after a sign of damage. */
const AROUND = 12;

/** Why a text looks damaged; undefined if it does not. */
export function damageIn(text: string): string | undefined {
  if (/^https?:/.test(text)) return undefined;
  const isHtml = /<[a-z][^>]*>/i.test(text);
  const entity = [isHtml ? WRITTEN_ENTITY : ENTITY, 'contains an HTML entity, which readers see'] as const;
  for (const [sign, reason] of [...DAMAGE, entity]) {
    const at = text.search(sign);
    if (at >= 0) return `${reason}: ${JSON.stringify(text.slice(Math.max(0, at - AROUND), at + AROUND))}`;
  }
  return undefined;
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
    /^(?:n\.?\/?a\.?|null|none|nan|unknown|onbekend|undefined|nvt|n\.v\.t\.|geen|[-\u2013\u2014]+|\?+)$/i;
  return words.test(text) || /^#(?:N\/A|NULL!|REF!|VALUE!|NAME\?|NUM!|DIV\/0!)$/.test(text);
}
