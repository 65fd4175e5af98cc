const PERSONS = 'last_name first_name infix birth_place death_place birth_country death_country title'.split(
  ' ',
);
const LOCATIONS = 'city street zipcode state land city city city'.split(' ');

/** Sixteen fields of kinds that have none in common, in two lists of alternatives: their values fill the length. */
function apart(length: number): string {
  const fields = [PERSONS, LOCATIONS].map((names) => names.map((name) => `${name}:`).join(' OR '));
  const value = 'a'.repeat(Math.max(1, Math.floor((length - fields.join(' ').length) / 16)));
  return fields.join(' ').replaceAll(':', `:${value}`);
}

const full = (text: string) => (length: number) => text.repeat(length).slice(0, length);
const ended = (start: string, text: string, end: string) => (length: number) =>
  start + full(text)(length - start.length - end.length) + end;

/** Queries that cost most to read, by shape: each for a length in characters. */
export const WORST_QUERIES: Readonly<Record<string, (length: number) => string>> = {
  'fields of kinds apart': apart,
  'alternatives of unknown fields': full('voornaam:a OR '),
  'a long field in brackets': (length) => `(${'a'.repeat(length / 2 - 1)}:${'a'.repeat(length / 2 - 1)}`,
  'names of fields in brackets': ended('(', 'a:a', ')'),
  'brackets in brackets': full('-(name:(a '),
  'spaces in a value': ended('name:a', ' ', 'b*'),
  'operators after a value': ended('name:a', ' AND', ' b'),
  'signs alone': full('… '),
  'excluded signs alone': full('-… OR '),
  'a word before a wildcard': ended('', 'a', '?'),
  'operators of another language': full('a EN '),
  'empty quotes': full("''"),
  apostrophes: full("'a "),
  'minus signs': full('-'),
  'a title': ended('', 'a ', ': b'),
  'a date of many parts': ended('birth_date:', '1600-', ''),
  'a date of many signs': ended('birth_date:', '<', '1'),
  ids: ended('id:', '1,', 'x'),
  kinds: ended('kind:', 'persoon|', 'x'),
  'equals signs': full('a=1 '),
  'letters before a colon': ended('', 'a', ':'),
  wildcards: full('a*b? '),
  accents: full('e\u0301\u0302'),
};
