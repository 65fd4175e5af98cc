import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createRandom, type Random } from '../../apps/api/testing/random.ts';
import { createVocabulary, type Vocabulary } from './words.ts';

/** The options of a generated bundle. */
export interface GeneratedBundle {
  folder: string;
  /** Number of records of all kinds. */
  records: number;
  seed?: number;
  /** Number of events at the first location, to make it busier than the others. */
  busyPlace?: number;
}

/** Number of records of each kind per hundred. */
const SHARES = { persons: 35, subjects: 10, locations: 20, events: 35 };

const INFIXES = ['', '', '', '', 'van', 'de', 'van der', 'van den', 'ten', "'s"];

/**
 * Writes a bundle of any size: made-up persons, subjects, locations and events, with texts of realistic length, and
 * references between them. The same options give the same bytes. Only one record and the uuids are in memory at a
 * time.
 */
export async function generateBundle({
  folder,
  records,
  seed = 1,
  busyPlace = 0,
}: GeneratedBundle): Promise<void> {
  const random = createRandom(seed);
  const vocabulary = createVocabulary(random, records);
  const count = (share: number) => Math.max(1, Math.round((records * share) / 100));
  const uuids = (length: number) => Array.from({ length }, () => random.uuid());
  const archive: Archive = {
    subjects: uuids(count(SHARES.subjects)),
    persons: uuids(count(SHARES.persons)),
    locations: uuids(count(SHARES.locations)),
    events: uuids(Math.max(busyPlace, count(SHARES.events))),
    busyPlace,
  };
  await mkdir(folder, { recursive: true });
  for (const kind of ['subjects', 'persons', 'locations', 'events'] as const) {
    const lines = archive[kind].values().map((uuid, place) => {
      const record = GENERATORS[kind]({ id: place + 1, uuid }, archive, random, vocabulary);
      return `${JSON.stringify(record)}\n`;
    });
    await pipeline(Readable.from(lines), createWriteStream(join(folder, `${kind}.jsonl`)));
  }
}

interface Archive {
  subjects: string[];
  persons: string[];
  locations: string[];
  events: string[];
  busyPlace: number;
}

type Generator = (
  key: { id: number; uuid: string },
  archive: Archive,
  random: Random,
  vocabulary: Vocabulary,
) => object;

const GENERATORS: Record<'subjects' | 'persons' | 'locations' | 'events', Generator> = {
  subjects: (key, _archive, random, vocabulary) => ({
    ...key,
    name_nl: words(vocabulary, 2),
    name_en: random.below(4) > 0 ? words(vocabulary, 2) : '',
    description_nl: random.below(3) === 0 ? html(vocabulary, 60) : '',
    parent: key.id > 10 ? 1 + random.below(Math.ceil(key.id / 5)) : null,
  }),
  persons: (key, { subjects }, random, vocabulary) => {
    const first = vocabulary.firstName();
    const infix = random.pick(INFIXES);
    const last = vocabulary.lastName() + (random.below(50) === 0 ? ` - ${vocabulary.lastName()}` : '');
    const title = [first, infix, last].filter(Boolean).join(' ');
    const born = 1500 + random.below(300);
    return {
      ...key,
      first_name: first,
      infix,
      last_name: last,
      title_nl: title,
      title_en: random.below(3) > 0 ? title : null,
      content_nl: html(vocabulary, 40 + random.below(120)),
      content_en: random.below(2) > 0 ? html(vocabulary, 40 + random.below(120)) : '',
      birth_date: date(born, random),
      death_date: date(born + 20 + random.below(60), random),
      gender: random.pick(['male', 'female']),
      birth_place: vocabulary.place(),
      birth_country: 'Nederland',
      death_place: vocabulary.place(),
      summary_nl: words(vocabulary, 8),
      subjects: some(subjects, random, 3),
    };
  },
  locations: (key, { subjects, locations }, random, vocabulary) => ({
    ...key,
    latitude: (50.8 + random.number() * 2.6).toFixed(6),
    longitude: (3.4 + random.number() * 3.7).toFixed(6),
    name_nl: words(vocabulary, 2),
    content_nl: html(vocabulary, 50),
    content_en: random.below(2) > 0 ? html(vocabulary, 50) : '',
    street: `${words(vocabulary, 1)}straat ${1 + random.below(200)}`,
    city: vocabulary.place(),
    state: vocabulary.place(),
    land: 'Nederland',
    subjects: some(subjects, random, 2),
    related_locations: some(locations, random, 1),
  }),
  events: (key, { subjects, persons, locations, busyPlace }, random, vocabulary) => ({
    ...key,
    name_nl: words(vocabulary, 4),
    name_en: random.below(2) > 0 ? words(vocabulary, 4) : '',
    content_nl: html(vocabulary, 60),
    date: date(1500 + random.below(300), random),
    persons: some(persons, random, 4),
    location: key.id <= busyPlace ? locations[0] : random.pick(locations),
    subjects: some(subjects, random, 2),
  }),
};

function some(uuids: readonly string[], random: Random, most: number): string[] {
  return [...new Set(Array.from({ length: random.below(most + 1) }, () => random.pick(uuids)))];
}

function words(vocabulary: Vocabulary, count: number): string {
  return Array.from({ length: count }, () => vocabulary.word()).join(' ');
}

function html(vocabulary: Vocabulary, count: number): string {
  return (
    `<p><strong>${words(vocabulary, 2)}</strong> ${words(vocabulary, count)}.` +
    '<sup class="footnote-ref"><a href="#fn-1" id="fnref-1">1</a></sup></p>\n' +
    `<section class="footnotes"><ol><li id="fn-1">${words(vocabulary, 6)} <a href="#fnref-1">&#8617;</a></li></ol></section>`
  );
}

function date(year: number, random: Random): string {
  return `${year}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
