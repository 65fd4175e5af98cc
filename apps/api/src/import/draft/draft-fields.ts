import type { Concept } from '@archiefkast/formats';
import type { Kind, Language } from '@archiefkast/types';
import { columnOfField } from '../field-check.ts';
import { fieldNames, type Value } from '../import-map.ts';
import type { KnownColumn, TableDescription } from './describe-table.ts';
import { type Guess, guessField, isLastFirst, rangeMark, textsIn } from './guess-values.ts';

/** The fields of a rule of a draft, with their values. */
export type DraftFields = Map<string, Guess>;

/** Fields whose column is found by a concept alone, by kind. */
const PLAIN_FIELDS: Readonly<Record<Kind, readonly (readonly [field: string, concept: Concept])[]>> = {
  person: [
    ['first_name', 'first_name'],
    ['infix', 'infix'],
    ['last_name', 'last_name'],
    ['gender', 'gender'],
    ['birth_date', 'birth_date'],
    ['birth_place', 'birth_place'],
    ['birth_country', 'birth_country'],
    ['death_date', 'death_date'],
    ['death_place', 'death_place'],
    ['death_country', 'death_country'],
  ],
  subject: [['same_as', 'same_as']],
  location: [
    ['street', 'street'],
    ['zipcode', 'zipcode'],
    ['city', 'city'],
    ['state', 'state'],
    ['land', 'country'],
    ['latitude', 'latitude'],
    ['longitude', 'longitude'],
  ],
  event: [
    ['date', 'date'],
    ['date_start', 'date_start'],
    ['date_end', 'date_end'],
  ],
};

/** How an address of a picture looks: with the ending of one, or of a IIIF server. */
const PICTURE = /\.(?:jpe?g|png|gif|webp|avif)(?:\?|$)|\/iiif\//i;

/** Drafts the fields of one table that need no other table. */
export class FieldDrafter {
  readonly table: TableDescription;
  /** The columns that have a field. */
  readonly claimed = new Set<string>();

  constructor(table: TableDescription) {
    this.table = table;
  }

  /** Adds the fields that columns of the table fill by themselves, without texts and images. */
  addPlainFields(fields: DraftFields): void {
    const { kind, key, table } = this.table;
    const isNumber = textsIn(table.source, key.value).every((text) => /^\d+$/.test(text));
    if (isNumber) for (const column of columnsIn(key.value)) this.claimed.add(column);
    this.#addNames(fields);
    if (kind === 'event') this.#addRange(fields, 'date', 'date_start', 'date_end');
    for (const [field, concept] of PLAIN_FIELDS[kind]) this.addFirst(fields, field, concept);
    if (kind === 'person') this.#addRange(fields, 'life', 'birth_date', 'death_date');
    if (kind === 'location') {
      if (!fields.has('city')) this.addFirst(fields, 'city', 'place');
      this.#addCoordinates(fields);
    }
    if (kind === 'subject') this.#addVocabulary(fields);
  }

  /** Adds texts and images, and what is left: columns called as fields are, a name, and columns that are kept. */
  addOtherFields(fields: DraftFields): void {
    this.#addTexts(fields);
    this.#addOwnFields(fields);
    this.#addMissingName(fields);
    this.#addImage(fields);
  }

  /** The first column about a concept that has no field yet. */
  free(concept: Concept): KnownColumn | undefined {
    return this.table.about(concept).find(({ column }) => !this.claimed.has(column));
  }

  /** Adds a field from a value; false if no text is valid in it. */
  add(fields: DraftFields, kind: Kind, field: string, value: Value, why?: string): boolean {
    const guess = guessField(this.table.table.source, kind, field, value);
    if (!guess) return false;
    fields.set(field, why === undefined ? guess : { ...guess, why });
    for (const column of columnsIn(value)) this.claimed.add(column);
    return true;
  }

  addFirst(fields: DraftFields, field: string, concept: Concept): boolean {
    const column = this.free(concept)?.column;
    return column !== undefined && this.add(fields, this.table.kind, field, { column });
  }

  /** Two dates from a column of ranges of years, if neither has a column of its own. */
  #addRange(fields: DraftFields, concept: Concept, first: string, last: string): void {
    const column = this.free(concept)?.column;
    if (column === undefined || fields.has(first) || fields.has(last)) return;
    const mark = rangeMark(this.table.table.source, column);
    if (mark === undefined) return;
    this.add(fields, this.table.kind, first, { column, before: mark });
    this.add(fields, this.table.kind, last, { column, after: mark });
  }

  #addNames(fields: DraftFields): void {
    const { kind } = this.table;
    const base = kind === 'person' ? 'title' : 'name';
    const names = this.table.names();
    const ofLanguage = (language: Language) => names.find(({ textLanguage }) => textLanguage === language);
    const first = names.find(({ textLanguage }) => textLanguage === undefined) ?? names[0];
    const byParts = first ? undefined : this.table.nameValue();
    for (const language of ['nl', 'en'] as const) {
      const column = (ofLanguage(language) ?? first)?.column;
      const value = column === undefined ? byParts : this.nameOf(column);
      if (!value) continue;
      const isBoth = !ofLanguage(language) && names.length === 1;
      const why = isBoth ? `from "${column}", the same in both languages` : undefined;
      this.add(fields, kind, `${base}_${language}`, value, why);
    }
    if (byParts) for (const column of columnsIn(byParts)) this.claimed.delete(column);
    if (kind === 'person' && first && isLastFirst(textsIn(this.table.table.source, first))) {
      const { column } = first;
      this.add(fields, kind, 'first_name', { column, after: ', ' }, `"${column}" is "Last, First"`);
      this.add(fields, kind, 'last_name', { column, before: ', ' }, `"${column}" is "Last, First"`);
    }
  }

  /** Takes ids that are addresses as those of the same subjects in a vocabulary. */
  #addVocabulary(fields: DraftFields): void {
    const { key, table } = this.table;
    const isAddress = textsIn(table.source, key.value).every((text) => /^https?:\/\//.test(text));
    if (!fields.has('same_as') && key.value.column !== undefined && isAddress) {
      this.add(fields, 'subject', 'same_as', key.value);
    }
  }

  /** Takes columns that are called as fields are in tables, except references. */
  #addOwnFields(fields: DraftFields): void {
    const { kind, table } = this.table;
    for (const field of fieldNames(kind)) {
      const isReference = columnOfField(kind, field)?.target !== undefined;
      if (
        isReference ||
        fields.has(field) ||
        this.claimed.has(field) ||
        !table.source.columns.includes(field)
      )
        continue;
      this.add(fields, kind, field, { column: field });
    }
  }

  /** Takes the first column of texts without a field as the name, if no column is called one. */
  #addMissingName(fields: DraftFields): void {
    const { kind, key, table } = this.table;
    const base = kind === 'person' ? 'title' : 'name';
    if (fields.has(`${base}_nl`)) return;
    const column = table.source.columns.find(
      (each) =>
        !this.claimed.has(each) &&
        each !== key.value.column &&
        textsIn(table.source, { column: each }).some((text) => /\p{L}/u.test(text)),
    );
    if (column === undefined) return;
    for (const language of ['nl', 'en'] as const) {
      this.add(
        fields,
        kind,
        `${base}_${language}`,
        { column },
        'no column is called a name: the first with texts',
      );
    }
  }

  /** The image of a record: a column of addresses of which most end as pictures do. */
  #addImage(fields: DraftFields): void {
    const { source } = this.table.table;
    const found = this.table.about('image_url').find(({ column }) => {
      const texts = textsIn(source, { column });
      return texts.filter((text) => PICTURE.test(text)).length > texts.length / 2;
    });
    if (!found || !this.add(fields, this.table.kind, 'image_url', { column: found.column })) return;
    for (const concept of ['image_credit', 'image_copyright'] as const) {
      this.addFirst(fields, concept, concept);
      const guess = fields.get(concept);
      // A row may have a credit line, but no image.
      if (guess) fields.set(concept, { ...guess, value: { ...guess.value, otherwise: 'keep' } });
    }
  }

  /** The name in a column, with the last name last. */
  nameOf(column: string, isPerson = this.table.kind === 'person', list?: string): Value {
    const isReversed =
      isPerson && isLastFirst(textsIn(this.table.table.source, { column, ...(list ? { list } : {}) }));
    return isReversed
      ? {
          join: [
            { column, after: ', ' },
            { column, before: ', ' },
          ],
        }
      : { column };
  }

  #addTexts(fields: DraftFields): void {
    const { kind, table } = this.table;
    const base = kind === 'subject' ? 'description' : 'content';
    for (const concept of ['summary', 'text'] as const) {
      for (const { column, language, textLanguage = language } of this.table.about(concept)) {
        const isHtml = textsIn(table.source, { column }).some((text) =>
          /<(?:p|br|a|i|em|b|strong|ul|ol|div)\b/i.test(text),
        );
        const field =
          concept === 'summary'
            ? `summary_${textLanguage}`
            : `${base}_${textLanguage}${isHtml ? '' : '_text'}`;
        if (!fields.has(field) && !this.claimed.has(column)) this.add(fields, kind, field, { column });
      }
    }
  }

  #addCoordinates(fields: DraftFields): void {
    const column = this.free('coordinates')?.column;
    if (column === undefined || fields.has('latitude')) return;
    const [first = ''] = textsIn(this.table.table.source, { column });
    const isPoint = /^point/i.test(first);
    const between = first.includes(';') ? ';' : ',';
    const latitude = isPoint ? { column, after_last: ' ', before: ')' } : { column, before: between };
    const longitude = isPoint ? { column, after: '(', before: ' ' } : { column, after: between };
    if (this.add(fields, 'location', 'latitude', latitude))
      this.add(fields, 'location', 'longitude', longitude);
  }
}

/** The columns of a value. */
function columnsIn(value: Value): string[] {
  return value.column === undefined ? (value.join ?? []).flatMap(columnsIn) : [value.column];
}
