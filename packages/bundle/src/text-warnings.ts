import { type Attribute, attributeOf, excessOfHtml, walkHtml } from '@archiefkast/formats/walk-html';
import type { Kind } from '@archiefkast/types';
import { type BundleRecord, MULTILINGUAL } from './record-schemas.ts';

/** Says what is wrong with a text, if anything. */
type Doubt = (text: string, isHtml: boolean) => string | false | undefined;

/** The warnings about any text of a record, by code, each with what finds it. */
export const TEXT_RULES = Object.entries<Doubt>({
  script: (text, isHtml) =>
    isHtml && hasScript(text) && 'contains a script, which sites that show it would run',
  'too-much-markup'(text, isHtml) {
    const excess = isHtml && excessOfHtml(text);
    return excess && `${excess}: pages show it as plain text`;
  },
  'tags-as-text'(text, isHtml) {
    const tag = isHtml && WRITTEN_TAG.exec(text)?.[1];
    return tag && `shows the tag <${tag}> to readers, as HTML in Markdown or plain text is not HTML`;
  },
  'unknown-tag'(text, isHtml) {
    const tag = isHtml && unknownTag(text);
    return (
      tag && `has <${tag}>, which is no tag of HTML, so that readers do not see it; write &lt; for its <`
    );
  },
  'line-ends': (text, isHtml) =>
    isHtml &&
    /\S\s*\n\s*\S/.test(text) &&
    !/<[a-z]/i.test(text) &&
    'has line ends, which readers see as spaces: HTML has <br> and <p>',
  'footnote-missing'(text, isHtml) {
    const mark = isHtml && markWithoutNote(text);
    return mark && `has the footnote mark ${mark} without a footnote of that name`;
  },
  // The tags at the start of HTML, which CSV leaves out, do not keep a spreadsheet from it.
  formula(value) {
    const text = value.startsWith('<') ? value.slice(0, HEAD).replace(TAGS, '') : value;
    return (
      FORMULA.test(text) &&
      `starts with ${JSON.stringify(text.charAt(0))}: a spreadsheet may evaluate it as a formula`
    );
  },
  'damaged-text': (text) => findSign(text, DAMAGE),
  invisible: (text) => findSign(text, INVISIBLE),
  escaped: (text, isHtml) =>
    !/^https?:/.test(text) && findSign(text, [ESCAPED, [isHtml ? WRITTEN_ENTITY : ENTITY, ENTITY_SEEN]]),
  'several-addresses': (text) =>
    /^https?:\S+?[\s;,|]+https?:\/\//.test(text) &&
    'contains several addresses; expected one, or | between them in a list of a table',
});

/** Whether a rule may find something: most texts have none of the signs that some rule looks for. */
export function isDoubtful(text: string): boolean {
  return /[<&%=\\[\n\u007f-\uffff]|^[+\-@\t\r]|^https?:/.test(text);
}

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

/** Whether a text stands for the lack of one. */
export function isPlaceholder(text: string): boolean {
  const words =
    /^(?:n\.?\/?a\.?|null|none|unknown|onbekend|undefined|nvt|n\.v\.t\.|geen|[-\u2013\u2014]+|\?+)$/i;
  return words.test(text) || /^(?:nan|NaN|NAN|#(?:N\/A|NULL!|REF!|VALUE!|NAME\?|NUM!|DIV\/0!))$/.test(text);
}

/** A tag that is shown as text: its `<` is escaped. */
const WRITTEN_TAG =
  /&lt;\/?(p|div|span|br|b|i|u|em|strong|a|o:p|table|tr|td|ul|ol|li|h[1-6]|font|img|sup)(?=[\s/]|&gt;)/i;

/** The elements of HTML, also those that are no longer used. */
const ELEMENTS = new Set(
  (
    'a abbr acronym address area article aside audio b base basefont bdi bdo big blockquote body br button canvas caption center cite code col colgroup ' +
    'data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head ' +
    'header hgroup hr html i iframe img input ins kbd label legend li link main map mark math menu meta meter nav nobr noscript object ol optgroup option ' +
    'output p param path picture pre progress q rp rt ruby s samp script search section select slot small source span strike strong style sub summary sup ' +
    'svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr'
  ).split(' '),
);

/** The first tag of a text that is no element of HTML. */
function unknownTag(html: string): string | undefined {
  return html.match(/(?<=<\/?)[a-z][^\s<>/]*/gi)?.find((name) => !ELEMENTS.has(name.toLowerCase()));
}

/** Cheap test for a possible script: only matching texts are parsed. */
const LIKE_SCRIPT = /<script|\son\w+\s*=|javascript:/i;

/** Whether a browser that shows the HTML unchanged would run a script. */
export function hasScript(html: string): boolean {
  if (!LIKE_SCRIPT.test(html)) return false;
  let found = false;
  // Closes an unfinished tag, as the rest of a page would.
  walkHtml(`${html} '">`, {
    text() {},
    tag({ name, closing, attributes }) {
      found ||= (name === 'script' && !closing) || attributes.some(runsScript);
    },
  });
  return found;
}

function runsScript([name, value]: Attribute): boolean {
  return /^on\w/.test(name) || (/(?:href|src)$/.test(name) && /^\s*javascript:/i.test(value));
}

const NOTE = /^#(fn-?[\w:-]+)$/;

/** What may be the name of a footnote mark, and of a footnote: HTML is parsed only if one of the former is none of the latter. */
const WRITTEN_MARK = /(?<=#)fn(?!ref)[\w:-]+/g;
const WRITTEN_ID = /(?<=\sid=")fn[\w:-]+(?=")/g;

/** A plain-text footnote mark, or an unclosed one up to a space; matching takes linear time. */
const PLAIN_MARK = /\[\^[^\]\s]+\]?/g;

/** The first footnote mark in HTML without a footnote; undefined if there is none. */
export function markWithoutNote(html: string): string | undefined {
  const marks: string[] = [];
  const ids = new Set<string>(html.match(WRITTEN_ID));
  if (html.match(WRITTEN_MARK)?.some((name) => !ids.has(name))) {
    walkHtml(html, {
      text() {},
      tag(tag) {
        const name = NOTE.exec(attributeOf(tag, 'href'))?.[1];
        if (name !== undefined && !name.startsWith('fnref')) marks.push(name);
        ids.add(attributeOf(tag, 'id'));
      },
    });
  }
  const missing = marks.find((name) => !ids.has(name));
  if (missing !== undefined) return `#${missing}`;
  return html.match(PLAIN_MARK)?.find((mark) => mark.endsWith(']'));
}

/** What a spreadsheet evaluates as a formula in CSV: a text that begins with one of these signs, and is no number. */
const FORMULA = /^(?![+-]?\d+(?:[.,]\d+)?$)[=+\-@\t\r]./s;

const TAGS = /^(?:\s*<[^<>]*>)+/;

/** Characters of HTML that are searched for the start of its text. */
const HEAD = 200;

/** The second and later bytes of a letter in UTF-8, read as Windows-1252. */
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
const ENTITY = /&(?:#\d{2,6}|#x[\da-f]{2,5}|[a-z]{2,8}\d{0,2});/i;
const WRITTEN_ENTITY = new RegExp(ENTITY.source.replace('&', '&amp;'), 'i');
const ENTITY_SEEN = 'contains an HTML entity, which readers see';

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
