import { htmlReading } from '@archiefkast/formats/html-reading';
import type { ArchiveRecord, Event, Kind, Location, Person } from '@archiefkast/types';
import { uuidOfReference } from '@archiefkast/types/links';
import stringWidth from 'string-width';
import { titleOf } from './describe-record.ts';

/** Names of records, by uuid in lower case. */
export type NamesOfRecords = ReadonlyMap<string, string>;

/** A labelled value of a record. */
type Fact = readonly [name: string, value: string];

/**
 * Formats a record as readable text: dates, places, references, texts with footnotes, picture and page.
 *
 * @param width of lines, in characters
 * @param names of referenced records
 */
export function readableRecord(
  kind: Kind,
  record: ArchiveRecord,
  width: number,
  names: NamesOfRecords,
): string {
  const title = titleOf(record);
  const texts = TEXTS.flatMap((field) => Object.entries(record).filter(([name]) => name === field)).map(
    ([, html]) => htmlReading(String(html)),
  );
  const footnotes = texts.flatMap(({ footnotes: notes }) =>
    notes.map(({ number, text }) => ` ${number}. ${text}`),
  );
  const facts = [
    ...describe(record, names),
    ...describePicture(record),
    ['page', record.url],
    ['uuid', record.uuid],
  ] as const;
  const sections = [
    `${title} (${kind})\n${'='.repeat(Math.min(width, title.length + kind.length + 3))}`,
    factLines(facts, width),
    ...texts.map(({ text }) => wrapText(text, width)),
    footnotes.length > 0 ? `Footnotes\n${wrapText(footnotes.join('\n'), width)}` : '',
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

/** Fields with HTML. */
const TEXTS = ['summary', 'content', 'description'];

/** The values of a record besides its texts; empty ones are left out later. */
function describe(record: ArchiveRecord, names: NamesOfRecords): Fact[] {
  if ('birth_date' in record) return describePerson(record, names);
  if ('latitude' in record) return describeLocation(record, names);
  if ('date_start' in record) return describeEvent(record);
  const { parent, same_as } = record;
  return [
    ['below', parent === null ? '' : `subject ${parent}`],
    ['same as', (same_as ?? []).join('\n')],
  ];
}

function describePerson(person: Person, names: NamesOfRecords): Fact[] {
  return [
    ['born', moment(person.birth_date, person.birth_place, person.birth_country)],
    ['died', moment(person.death_date, person.death_place, person.death_country)],
    ['gender', person.gender],
    ['subjects', named(person.subjects, names).join(', ')],
  ];
}

function describeLocation(location: Location, names: NamesOfRecords): Fact[] {
  const { street, zipcode, city, state, land, latitude, longitude, subjects, events } = location;
  return [
    ['address', listed([street, `${zipcode} ${city}`.trim(), state, land])],
    ['at', listed([latitude, longitude])],
    ['subjects', listed(subjects.map(({ name }) => name))],
    ['events', events.map(({ name, date }) => `${date ?? ''} ${name}`.trim()).join('\n')],
    ['see also', named(location.related_locations, names).join('\n')],
  ];
}

function describeEvent({ date, date_start, date_end, location, persons }: Event): Fact[] {
  return [
    ['date', date ?? [date_start, date_end].filter(Boolean).join(' – ')],
    ['place', location ? listed([location.name, location.city]) : ''],
    ['persons', persons.map(({ title }) => title).join('\n')],
  ];
}

/** The picture, with credits. */
function describePicture(record: ArchiveRecord): Fact[] {
  const picture = 'image' in record ? record.image : record.main_image;
  if (!picture) return [];
  const { title, alt, author, copyright, url, path } = picture;
  return [['picture', [title, alt, author, copyright, url || (path ?? '')].filter(Boolean).join(' · ')]];
}

/** "1629-04-14, Den Haag, Nederland". */
function moment(date: string | null, ...places: string[]): string {
  return listed([date ?? '', ...places]);
}

function listed(values: readonly string[]): string {
  return values.filter(Boolean).join(', ');
}

/** The names of references; the uuid if the name is unknown. */
function named(references: readonly string[], names: NamesOfRecords): string[] {
  return references.map((reference) => {
    const uuid = uuidOfReference(reference) ?? reference;
    return names.get(uuid) ?? uuid;
  });
}

/** Labels in a column, with their values next to them. */
function factLines(facts: readonly Fact[], width: number): string {
  const known = facts.filter(([, value]) => value !== '');
  const indent = Math.max(...known.map(([name]) => name.length)) + 2;
  return known
    .flatMap(([name, value]) =>
      wrapText(value, width - indent)
        .split('\n')
        .map((line, index) => (index === 0 ? name : '').padEnd(indent) + line),
    )
    .join('\n');
}

/** Indent and marker of a list item: wrapped lines are indented by as much. */
const MARK = /^ {0,40}(?:(?:\*|\d{1,9}\.) )?/;

/** Wraps the lines of a text between words; a longer word is not broken. */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  const mark = MARK.exec(line)?.[0] ?? '';
  const indent = ' '.repeat(mark.length);
  let wrapped = mark;
  let used = mark.length;
  let isFirst = true;
  for (const word of line.slice(mark.length).split(' ')) {
    const needed = stringWidth(word);
    if (!isFirst && used + 1 + needed > width) {
      wrapped += `\n${indent}${word}`;
      used = indent.length + needed;
    } else {
      wrapped += isFirst ? word : ` ${word}`;
      used += needed + (isFirst ? 0 : 1);
    }
    isFirst = false;
  }
  return wrapped;
}
