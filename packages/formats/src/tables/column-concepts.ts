import { isKind, type Kind, type Language } from '@archiefkast/types';
import names from './column-names.json' with { type: 'json' };

/**
 * What a column of a spreadsheet can be about. `column-names.json` has the names of such columns in English and Dutch, the most
 * usual first, without spaces, accents and capitals.
 */
export type Concept = keyof typeof names.en;

/** Names by concept and language, with their rank in the list. */
const NAMES = new Map<string, { concept: Concept; language: Language; rank: number }>();
for (const language of ['en', 'nl'] as const) {
  for (const concept of conceptNames()) {
    for (const [rank, name] of names[language][concept].split(' ').entries()) {
      if (name !== '' && !NAMES.has(name)) NAMES.set(name, { concept, language, rank });
    }
  }
}

function conceptNames(): Concept[] {
  const isConcept = (name: string): name is Concept => name in names.en;
  return Object.keys(names.en).filter(isConcept);
}

/** Words for whose name, date or id a column has: "directeur tot", "artist_id"; or that of any record: "Object Name". */
const OWNERS = new Map(
  Object.entries(names.owners).flatMap(([owner, words]) =>
    words.split(' ').map((word) => [word, owner] as const),
  ),
);

/** Words that are left out: articles, and the vocabularies that headers name: `dcterms:title`, "Dublin Core:Title". */
const SMALL_WORDS = /^(?:the|a|of|de|het|een|van)$/;
const PREFIX = /^(?:dcterms|dc|dublin core|schema|skos|foaf)\s*:\s*/i;

const LANGUAGES = { en: /^(?:en|eng|english|engels)$/, nl: /^(?:nl|nld|dut|dutch|nederlands)$/ };

export interface ColumnConcept {
  concept: Concept;
  /** Language of the name of the column. */
  language: Language;
  /** Language of its texts, if the name says so: `title_en`. */
  textLanguage: Language | undefined;
  /** The kind of the records whose property it is, if the name says so: "artist begin date". */
  owner: Kind | undefined;
  /** How usual the name is: 0 is the most usual. */
  rank: number;
}

/** Finds what a column is about by its name; undefined if the name says nothing known. */
export function conceptOf(header: string): ColumnConcept | undefined {
  const words = headerWords(header.replace(PREFIX, ''));
  const last = words.at(-1) ?? '';
  const textLanguage = (['en', 'nl'] as const).find((language) => LANGUAGES[language].test(last));
  const own = textLanguage && words.length > 1 ? words.slice(0, -1) : words;
  const plain = own.filter((word) => !OWNERS.has(word));
  const attempts = [
    own,
    plain,
    plain.filter((word) => !SMALL_WORDS.test(word)),
    own.filter((word) => word !== 'label'),
    own.slice(-1).filter((word) => word === 'id'),
  ];
  for (const [index, attempt] of attempts.entries()) {
    const found = NAMES.get(attempt.join(''));
    if (!found) continue;
    const leftOut = own.filter((word) => !attempt.includes(word));
    const owner = leftOut.map((word) => OWNERS.get(word) ?? '').find(isKind);
    // A name of which words were left out is less usual than any that is listed.
    return { ...found, textLanguage, owner, rank: found.rank + index * 100 };
  }
  return undefined;
}

/** What a header says of a part of a date: whether it is the day, and the name of the column of its year: `birthyear` for `birth_month`. */
export function datePartOf(header: string): { isDay: boolean; year: string } | undefined {
  const name = headerWords(header).join('');
  const [word] = /month|maand|mnd|day|dag/.exec(name) ?? [];
  if (word === undefined) return undefined;
  return { isDay: /da[yg]/.test(word), year: name.replace(word, /month|day/.test(word) ? 'year' : 'jaar') };
}

/** The words of a name in any style: `yearOfBirth`, `Year of birth`, `YEAR_OF_BIRTH`. */
export function headerWords(name: string): string[] {
  return name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The columns of tables for concepts with another name. */
const COLUMNS: Partial<Record<Concept, readonly string[]>> = {
  name: ['title_nl', 'title_en', 'name_nl', 'name_en'],
  text: ['content_nl', 'content_en', 'description_nl', 'description_en'],
  summary: ['summary_nl', 'summary_en'],
  place: ['location', 'city'],
};

/**
 * The columns of a table that a header of another collection may mean: the same name in another spelling, the name without
 * its language, or a name of the same concept. Empty if there is none.
 *
 * @param names the column names of the table
 */
export function columnsLike(header: string, names: readonly string[]): string[] {
  const folded = headerWords(header).join('');
  const spelling = (name: string) => name.replaceAll('_', '');
  const same = names.filter((name) => spelling(name) === folded);
  if (same.length > 0) return same;
  const inLanguages = names.filter((name) => [`${folded}nl`, `${folded}en`].includes(spelling(name)));
  if (inLanguages.length > 0) return inLanguages;
  const { concept, textLanguage } = conceptOf(header) ?? {};
  const columns = concept === undefined ? [] : (COLUMNS[concept] ?? [concept]);
  return columns.filter(
    (column) => names.includes(column) && (!textLanguage || column.endsWith(`_${textLanguage}`)),
  );
}
