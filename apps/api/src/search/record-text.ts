import { type HtmlWords, htmlWords } from '@archiefkast/formats/html-words';
import type { Kind } from '@archiefkast/types';
import { plainText, type RecordFields, type TEXT_COLUMNS } from './record-fields.ts';
import { indexedText } from './words.ts';

/** A record's words, by column; folded. */
export type RecordText = Record<(typeof TEXT_COLUMNS)[number]['name'], string>;

/** A word that cannot be typed, between two texts: it keeps a phrase from spanning both. */
const APART = '\u{f8ff}';

interface TextFields {
  name: readonly string[];
  place: readonly string[];
  html: readonly string[];
}

const SUMMARY = ['summary_nl', 'summary_en'];

/** The fields that hold a file object, or several. */
const FILES = ['image', 'main_image', 'pictures', 'files'];

/** The fields of a file object that a reader reads. */
const CAPTION = ['name', 'title', 'description', 'alt', 'author', 'copyright'];

const TEXT_FIELDS: Record<Kind, TextFields> = {
  person: {
    name: ['title_nl', 'title_en', 'first_name', 'infix', 'last_name'],
    place: ['birth_place', 'birth_country', 'death_place', 'death_country'],
    html: ['content_nl', 'content_en'],
  },
  subject: { name: ['name_nl', 'name_en'], place: [], html: ['description_nl', 'description_en'] },
  location: {
    name: ['name_nl', 'name_en'],
    place: ['street', 'zipcode', 'city', 'state', 'land'],
    html: ['content_nl', 'content_en'],
  },
  event: { name: ['name_nl', 'name_en'], place: [], html: ['content_nl', 'content_en'] },
};

/** The words of a record in both languages. A name that is the same in both counts once. */
export function recordText(kind: Kind, record: RecordFields): RecordText {
  const fields = TEXT_FIELDS[kind];
  const html: HtmlWords[] = textsOf(record, fields.html).map(htmlWords);
  return {
    name: join(textsOf(record, fields.name)),
    summary: join(textsOf(record, SUMMARY)),
    place: join(textsOf(record, fields.place)),
    body: join(html.map((part) => part.text)),
    footnotes: join(html.map((part) => part.footnotes)),
    captions: join(captionsOf(record)),
  };
}

function textsOf(record: RecordFields, names: readonly string[]): string[] {
  return names.map((name) => plainText(record[name])).filter((text) => text !== '');
}

function captionsOf(record: RecordFields): string[] {
  const files = FILES.flatMap((name) => record[name]).filter(isObject);
  return files.flatMap((file) => textsOf(file, CAPTION)).map((text) => htmlWords(text).text);
}

function isObject(value: unknown): value is RecordFields {
  return typeof value === 'object' && value !== null;
}

/** Characters of a text that is sought in earlier ones: for a longer one that could take the product of both lengths. */
const LONGEST_SOUGHT = 250;

/** The texts folded, without those whose words stand in an earlier one, or that are one; apart, so that no phrase spans two. */
function join(texts: readonly string[]): string {
  let joined = '';
  const seen = new Set<string>();
  for (const text of texts) {
    const folded = indexedText(text);
    const isKnown = seen.has(folded) || (folded.length <= LONGEST_SOUGHT && joined.includes(` ${folded} `));
    if (joined === '') joined = ` ${folded} `;
    else if (!isKnown) joined += `${APART} ${folded} `;
    seen.add(folded);
  }
  return joined;
}
