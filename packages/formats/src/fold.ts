/** Marks that folding drops: diacritics of Latin, Greek and Cyrillic, and the vowel signs of Arabic and Hebrew. */
const DIACRITICS = /[\p{Script=Inherited}[\p{Script=Hebrew}&&\p{Mn}]]+/gv;

/** Characters with several variants. */
const SIGNS: Record<string, string> = {
  ...Object.fromEntries([...'‘’‚‛′´ʹʻʼʽ‹›'].map((quote) => [quote, "'"])),
  ...Object.fromEntries([...'“”„‟″«»'].map((quote) => [quote, '"'])),
  ...Object.fromEntries([...'‐‑‒–—―−'].map((dash) => [dash, '-'])),
};

/** Letters that Unicode does not decompose. */
const LETTERS: Record<string, string> = Object.fromEntries(
  'ß ss,æ ae,œ oe,ø o,ł l,đ d,ð d,þ th,ħ h,ı i,ŧ t,ŋ n,ς σ'.split(',').map((pair) => pair.split(' ')),
);

const SIGN = anyOf(SIGNS);
const LETTER = anyOf(LETTERS);
/** Maximum number of marks per letter: no script needs more, and Unicode normalisation takes quadratic time. */
const MOST_MARKS = 30;
const MANY_MARKS = new RegExp(`([\\p{M}\\uff9e\\uff9f]{${MOST_MARKS}})[\\p{M}\\uff9e\\uff9f]+`, 'gu');
const BEYOND_ASCII = /[^\0-\x7f]+/g;
const INVISIBLE = /\p{Cf}+/gu;
const SPACE_BEYOND_ASCII = /[\s\x80-\x9f]/g;
/** Runs of control characters and spaces, except a single space, which is too frequent to replace. */
const SPACES = /[^ -~\u0080-\uffff][^!-~\u0080-\uffff]*| [^!-~\u0080-\uffff]+/g;
const SPACED_HYPHEN = / ?- ?/g;

/**
 * Normalises a text for comparison: without case, diacritics or invisible characters;
 * `ij`, `ĳ`, `ÿ` and `y` one; quotes and dashes straight; no spaces around a hyphen, elsewhere single ones.
 * Folding is idempotent.
 */
export function fold(text: string): string {
  if (text === '') return text;
  let folded = text.toLowerCase().replace(BEYOND_ASCII, foldRun).replace(SPACES, ' ');
  if (folded.includes('-')) folded = folded.replace(SPACED_HYPHEN, '-');
  if (folded.includes('ij')) folded = folded.replaceAll('ij', 'y');
  return folded.trim();
}

/** Cache of folded runs: a text has few different ones, mostly single letters and dashes. */
const knownRuns = new Map<string, string>();
const MOST_KNOWN_RUNS = 4_096;
const LONGEST_KNOWN_RUN = 8;

/** Folds a run of non-ASCII characters, which does not depend on the surrounding ASCII. */
function foldRun(run: string): string {
  const known = knownRuns.get(run);
  if (known !== undefined) return known;
  const folded = (run.length > MOST_MARKS ? run.replace(MANY_MARKS, '$1') : run)
    .toWellFormed()
    .replace(SIGN, (sign) => SIGNS[sign] ?? sign)
    .normalize('NFKD')
    .toLowerCase()
    .replace(DIACRITICS, '')
    .replace(INVISIBLE, '')
    .replace(SPACE_BEYOND_ASCII, ' ')
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter);
  if (run.length <= LONGEST_KNOWN_RUN && knownRuns.size < MOST_KNOWN_RUNS) knownRuns.set(run, folded);
  return folded;
}

function anyOf(replacements: Record<string, string>): RegExp {
  return new RegExp(`[${Object.keys(replacements).join('')}]`, 'g');
}
