/** The parts of the name of a person that a map can take from one text: the fields that they fill. */
export const NAME_PARTS = ['title', 'first_name', 'infix', 'last_name'] as const;

/** A part of the name of a person. */
export type NamePart = (typeof NAME_PARTS)[number];

/** Words between first and last names, in small letters. Initials such as "D." are none. */
const INFIX = new Set(
  "aan af al bij d' da de del della den der des di do dos du el het in la las le les lo los of op over 's 't te ten ter tot uit uyt van vd v.d. v/d v. von voor zu zum zur".split(
    ' ',
  ),
);

const SUFFIX = /^(?:jr|jnr|junior|sr|snr|senior|i{2,3}|iv|[23]d[er]?)\.?$/i;

/** Words of the names of institutions, and of texts that are more than one name. */
const NOT_A_PERSON =
  /[\d&;/()[\]]|(?<!\p{L})(?:[bn]\.? ?v\.?|v\.? ?o\.? ?f\.?|c\.v\.|inc\.?|ltd\.?|gmbh|fa\.|firma|co\.|company|gebr\.?|gebroeders|brothers|zonen|zn\.|stichting|foundation|vereeniging|vereniging|association|society|genootschap|maatschappij|museum|galerie|gallery|studio|atelier|archief|archive|bibliotheek|library|gemeente|universiteit|university|academie|academy|school|instituut|institute|commissie|committee|ministerie|ministry|kerk|church|drukkerij|uitgeverij|press|en|and|et al\.?|e\.a\.)(?!\p{L})/iu;

/**
 * Takes the name of a person apart: "Berg, Jan van den", "Berg, Jan, jr.", "van den Berg, J." and "Jan van den Berg".
 *
 * @returns undefined for what may be no person, or another order: it is to be left as it stands
 */
export function personName(text: string): Readonly<Record<NamePart, string>> | undefined {
  const plain = text
    .replaceAll('\u2019', "'")
    .replace(/\(([^()]*)\)/, (all, inner) => (isAllInfix(inner) ? inner : all));
  const parts = plain.split(',').map((part) => part.trim());
  const last = parts.at(-1) ?? '';
  const isApart = parts.length > 1 && SUFFIX.test(last);
  if (isApart) parts.pop();
  // "Berg, van den, Jan"
  const [, middle = '', end] = parts;
  if (parts.length === 3 && isAllInfix(middle)) parts.splice(1, 2, `${end} ${middle}`);
  if (parts.length > 2 || parts.includes('') || NOT_A_PERSON.test(plain)) return undefined;
  const words = parts.map((part) => part.replaceAll(/ [-\u2013] /g, '\0-\0').split(/\s+/));
  const ofFirst = words.at(-1) ?? [];
  const ends = !isApart && ofFirst.length > 1 && SUFFIX.test(ofFirst.at(-1) ?? '');
  const suffix = isApart ? last : ends ? ofFirst.pop() : '';
  const [front = [], back] = words;
  const { first, infix, last: surname } = back ? inverted(front, back) : natural(front);
  if (surname.length === 0) return undefined;
  const join = (all: readonly string[]) =>
    all
      .join(' ')
      .replaceAll('\0', ' ')
      .replace(/(?<=(?:^| )d') /i, '');
  return {
    title: join([...first, ...infix, ...surname, suffix ?? ''].filter(Boolean)),
    first_name: join(first),
    infix: join(infix),
    last_name: first.length + infix.length > 0 ? join(surname) : '',
  };
}

function isInfix(word: string): boolean {
  // "V." is an initial, "v." stands for van.
  return INFIX.has(word.includes('.') ? word : word.toLowerCase());
}

function isAllInfix(text: string): boolean {
  return text.trim().split(/\s+/).every(isInfix);
}

/** "Berg, Jan van den", "Berg van den, Jan", or "van den Berg, Jan". */
function inverted(front: readonly string[], back: readonly string[]) {
  const from = back.findLastIndex((word) => !isInfix(word)) + 1;
  const found = front.findIndex((word) => !isInfix(word));
  // "van der Bij, Jan"
  const start = found < 0 ? front.length - 1 : found;
  const end = front.findLastIndex((word) => !isInfix(word)) + 1 || front.length;
  return {
    first: back.slice(0, from),
    infix: [...back.slice(from), ...front.slice(0, start), ...front.slice(end)],
    last: front.slice(start, end),
  };
}

/** "Jan van den Berg"; without an infix, the last word is the last name. */
function natural(words: readonly string[]) {
  const start = words.findIndex(isInfix);
  const from = start < 0 ? words.length - 1 : start;
  const length = words.slice(from).findIndex((word) => !isInfix(word));
  // "Jan van El"
  const isName = /^\p{Lu}/u.test(words.at(-1) ?? '');
  const until = length >= 0 ? from + length : words.length - (isName ? 1 : 0);
  return { first: words.slice(0, from), infix: words.slice(from, until), last: words.slice(until) };
}
