import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { readPage } from '@archiefkast/formats/markdown-page';
import { type FileObject, type Kind, LANGUAGES } from '@archiefkast/types';
import { GENDERS, RECORD_COLUMN_FIELDS } from '@archiefkast/types/internal';
import type { WarningList } from './faults.ts';
import { NOT_IN_IRI, whyUnshown } from './field-schemas.ts';
import { MediaUnreadableError, withMedia } from './media-file.ts';
import { isMediaPath, type MediaType, typeByName } from './media-path.ts';
import { pageFile } from './own-pages.ts';
import { type BundleRecord, MULTILINGUAL } from './record-schemas.ts';
import type { RecordSource } from './record-source.ts';
import { eachText, isDoubtful, isPlaceholder, TEXT_RULES } from './text-warnings.ts';

type Warn = (field: string, reason: string) => void;

/** Looks for one sort of mistake in a record. */
type Rule = (record: AnyRecord, kind: Kind, warn: Warn) => void;

type AnyRecord = BundleRecord[Kind];

/** The warnings about one record alone, by code, each with what finds it. */
const RULES = Object.entries<Rule>({
  'no-name'(record, kind, warn) {
    const { nl, en } = MULTILINGUAL[kind].name;
    if (!nameIn(record, kind)) warn(nl, `is empty, and ${en} too: the record has no name`);
  },
  'no-english': inOneLanguage('nl', 'en', 'is empty, but there is a Dutch text'),
  'no-dutch': inOneLanguage('en', 'nl', 'is empty, so that $ is "" in Dutch; there is an English text'),
  spaces(record, kind, warn) {
    for (const [field, name] of namesIn(record, kind)) {
      const end = name === name.trimEnd() ? 'begins' : 'ends';
      if (name !== name.trim()) warn(field, `${end} with a space: ${JSON.stringify(name)}`);
    }
  },
  gender(record, _, warn) {
    const given = textIn(record, 'gender');
    const [gender] = GENDERS.find(([, words]) => words.includes(given.trim().toLowerCase())) ?? [];
    if (gender !== undefined && gender !== given) warn('gender', `is "${given}"; expected ${gender}`);
  },
  'date-unlikely'(record, kind, warn) {
    for (const { name, type } of RECORD_COLUMN_FIELDS[kind]) {
      const reason = type === 'date' && doubtOf(textIn(record, name));
      if (reason) warn(name, reason);
    }
  },
  'dates-reversed'(record, _, warn) {
    for (const [begin, end] of PERIODS) {
      const [first, last] = [textIn(record, begin), textIn(record, end)];
      if (first && last && last < first) warn(end, `${last} is before ${begin}, ${first}`);
    }
  },
  'image-address'(record, _, warn) {
    for (const { field, path } of addressesOf(record)) {
      const reason = faultInAddress(path);
      if (reason) warn(field, reason);
    }
    const [field, image] = imageOf(record);
    if (image && !image.url && !image.path) warn(`${field}.url`, 'is empty: the image has no URL');
  },
  'address-characters'(record, _, warn) {
    const same = 'same_as' in record ? (record.same_as ?? []) : [];
    const identities = same.map((path, place) => ({ field: `same_as[${place}]`, path }));
    for (const { field, path } of [...addressesOf(record), ...identities]) {
      const [character] = NOT_IN_IRI.exec(path) ?? [];
      if (character) warn(field, `has ${character}, which no IRI has: linked data writes it with %`);
    }
  },
  'image-rights'(record, _, warn) {
    const [field, image] = imageOf(record);
    if (image && !image.alt) warn(`${field}.alt`, 'is empty: the image has no credit line');
    else if (image && !image.author && !image.copyright)
      warn(`${field}.copyright`, 'is empty, and author too: the image has no licence');
  },
  placeholder(record, kind, warn) {
    const said = new Set<string>();
    for (const [field, name] of namesIn(record, kind)) {
      if (isPlaceholder(name) && !said.has(name))
        warn(field, `is "${name}", which may stand for the lack of a name`);
      said.add(name);
    }
  },
  'coordinates-half'(record, _, warn) {
    const [has, lacks] = [textIn(record, 'latitude'), textIn(record, 'longitude')];
    if (has !== '' && lacks === '') warn('longitude', 'is empty, but there is a latitude');
    if (has === '' && lacks !== '') warn('latitude', 'is empty, but there is a longitude');
  },
  'coordinates-zero'(record, _, warn) {
    if (pointOf(record)?.every((degrees) => degrees === 0))
      warn('latitude', 'is 0, and the longitude is 0 too: a point in the sea off Ghana');
  },
});

/** Creates what checks the records of a kind for possible mistakes, and adds them to `warnings`: `look` at each, then `finish`. */
export function createWarner(kind: Kind, warnings: WarningList) {
  const names = new Set<string>();
  const points: Point[] = [];
  return {
    look(record: AnyRecord, at: number): void {
      const name = nameIn(record, kind);
      if (names.has(name)) {
        const { nl } = MULTILINGUAL[kind].name;
        warnings.add('same-name', kind, at, nl, `"${name}" is also the name of another ${kind}`);
      } else if (name !== '') names.add(name);
      for (const [code, rule] of RULES)
        rule(record, kind, (field, reason) => warnings.add(code, kind, at, field, reason));
      // Of the same plain text in two languages, each rule warns once.
      const said = new Set<string>();
      eachText(record, kind, (text, isHtml, field) => {
        if (!isDoubtful(text)) return;
        for (const [code, doubt] of TEXT_RULES) {
          const reason = doubt(text, isHtml);
          if (!reason || said.has(code + text)) continue;
          if (!isHtml) said.add(code + text);
          warnings.add(code, kind, at, field, reason);
        }
      });
      const point = pointOf(record);
      if (point?.some((degrees) => degrees !== 0)) points.push([...point, at]);
    },
    finish(): void {
      const reason = 'is far from the other locations; latitude and longitude may be swapped';
      for (const at of findSwapped(points)) warnings.add('coordinates-swapped', kind, at, 'latitude', reason);
    },
  };
}

function textIn(record: Readonly<Record<string, unknown>>, field: string): string {
  const value = record[field];
  return typeof value === 'string' ? value : '';
}

function nameIn(record: AnyRecord, kind: Kind): string {
  const { nl, en } = MULTILINGUAL[kind].name;
  return textIn(record, nl) || textIn(record, en);
}

/** The texts of a record's name, each with its field. */
function namesIn(record: AnyRecord, kind: Kind): [field: string, name: string][] {
  const { nl, en } = MULTILINGUAL[kind].name;
  return [nl, en, 'first_name', 'infix', 'last_name'].map((field) => [field, textIn(record, field)]);
}

/** A rule for texts that are in the language `has`, and not in `lacks`; `$` in the reason is the field without a language. */
function inOneLanguage(has: 'nl' | 'en', lacks: 'nl' | 'en', reason: string): Rule {
  return (record, kind, warn) => {
    const texts = MULTILINGUAL[kind].all.filter(
      (text) => textIn(record, text[has]) && !textIn(record, text[lacks]),
    );
    const list = texts.length > 1 ? ` (${texts.map((text) => text[lacks]).join(', ')})` : '';
    if (texts[0]) warn(texts[0][lacks], reason.replace('$', texts[0].field) + list);
  };
}

const PERIODS = [
  ['birth_date', 'death_date'],
  ['date_start', 'date_end'],
] as const;

/** The last year of the Julian calendar alone. */
const GREGORIAN = 1582;

const TODAY = new Date().toISOString().slice(0, 10);

/** Why a date is unlikely; undefined if it is not. */
export function doubtOf(date: string): string | undefined {
  const year = Number(date.slice(0, 4));
  if (date.startsWith('0000')) return `${date} is in the year 0, which no calendar of history has`;
  if (date > TODAY) return `${date} is in the future`;
  const isJulianLeap = year % 100 === 0 && year % 400 !== 0;
  if (year > GREGORIAN && isJulianLeap && date.endsWith('-02-29'))
    return `${date} is a day of the Julian calendar only; in the Gregorian one, ${year} has no 29 February`;
  return undefined;
}

function imageOf(record: AnyRecord): [field: string, image: FileObject | null] {
  return 'main_image' in record ? ['main_image', record.main_image] : ['image', record.image];
}

/** The addresses of a record's image and files, each with its field. */
function addressesOf(record: AnyRecord): { field: string; path: string }[] {
  const files = record.files.map((file, place) => [`files[${place}]`, file] as const);
  return [imageOf(record), ...files].flatMap(([name, file]) =>
    (['url', 'path'] as const).flatMap((part) =>
      file?.[part] ? [{ field: `${name}.${part}`, path: file[part] }] : [],
    ),
  );
}

/** A path in MEDIA_DIR that looks like a web address: its first name has a colon, or a dot and a name after it. */
const LIKE_AN_ADDRESS = /^(?:[a-z]+:\/*)?((?:[\w-]+\.)+[a-z]{2,}\/.*)$|^[a-z]+:\/*(.*)$/i;

/** Why the address of a picture shows nothing; undefined if it may. */
function faultInAddress(path: string): string | undefined {
  if (!isMediaPath(path)) return whyUnshown(path);
  const [, host, rest] = LIKE_AN_ADDRESS.exec(path) ?? [];
  const address = host ?? rest;
  return address === undefined
    ? undefined
    : `"${path}" is read as a path in MEDIA_DIR; if it is a web address, write https://${address}`;
}

/** The folder of the files that records name by path, without symbolic links; `null` if the server has none. */
export type MediaFolder = string | null;

/** Warns of files in MEDIA_DIR that the server will not send. */
export async function warnOfMedia(
  folder: MediaFolder,
  kind: Kind,
  record: AnyRecord,
  line: number,
  warnings: WarningList,
): Promise<void> {
  for (const { field, path } of addressesOf(record)) {
    const found = await faultOfMedia(folder, path);
    if (found) warnings.add(found.code, kind, line, field, found.reason);
  }
}

/** Warns of pictures of the archive's own pages that the server will not send. */
export async function warnOfPages(
  folder: MediaFolder,
  { archive, archiveAt, folder: bundle }: Pick<RecordSource, 'archive' | 'archiveAt' | 'folder'>,
  warnings: WarningList,
): Promise<void> {
  for (const language of LANGUAGES) {
    for (const [name, text] of Object.entries(archive?.pages?.[language] ?? {})) {
      const file = pageFile(name, language);
      const isFile = bundle !== undefined && existsSync(join(bundle, file));
      for (const image of readPage(text).images) {
        const found = await faultOfMedia(folder, image);
        const line = text.slice(0, text.indexOf(`](${image}`)).split('\n').length;
        const at = isFile ? { file, line } : { ...archiveAt, field: `pages.${language}.${name}` };
        if (found) warnings.addAt(found.code, at, found.reason);
      }
    }
  }
}

/** Why the server will not send a file in MEDIA_DIR; undefined if it will, and for addresses. */
async function faultOfMedia(
  folder: MediaFolder,
  path: string,
): Promise<{ code: string; reason: string } | undefined> {
  if (!isMediaPath(path)) return undefined;
  if (folder === null)
    return {
      code: 'media-unset',
      reason: 'is a path in MEDIA_DIR, which is not set: the file will not be sent',
    };
  try {
    const found = await withMedia(folder, path, async ({ type }) => ({ type }));
    if (!found) return { code: 'media-missing', reason: `"${path}" is not in ${folder}` };
    if (found.type === typeByName(path)) return undefined;
    const reason = `"${path}" ${describeType(path, found.type)}; it will not be sent`;
    return { code: 'media-type', reason };
  } catch (error) {
    if (!(error instanceof MediaUnreadableError)) throw error;
    return { code: 'media-missing', reason: `"${path}" in ${folder} cannot be read` };
  }
}

function describeType(path: string, type: MediaType | undefined): string {
  if (!type) return `does not contain a ${extname(path).toLowerCase()} file`;
  const [extension] = type.extensions;
  return `contains a ${extension} file: rename it to ${path.slice(0, -extname(path).length)}${extension}`;
}

/** The latitude and longitude of a record, in degrees; undefined without them. */
function pointOf(record: AnyRecord): [latitude: number, longitude: number] | undefined {
  const [latitude, longitude] = [textIn(record, 'latitude'), textIn(record, 'longitude')];
  return latitude && longitude ? [Number(latitude), Number(longitude)] : undefined;
}

/** A location's latitude and longitude, and the line or row of its record. */
type Point = readonly [latitude: number, longitude: number, at: number];

/** Degrees from the median beyond which a location is far away; within half of it, it is near. */
const FAR = 20;

/** Minimum number of locations for a meaningful median. */
const ENOUGH = 3;

/** The points that are far from the median, but near it with latitude and longitude swapped. */
function findSwapped(points: readonly Point[]): number[] {
  if (points.length < ENOUGH) return [];
  const north = median(points.map(([latitude]) => latitude));
  const east = median(points.map(([, longitude]) => longitude));
  const distance = (a: number, b: number) => Math.max(Math.abs(a - north), Math.abs(b - east));
  return points.flatMap(([latitude, longitude, at]) =>
    distance(latitude, longitude) > FAR && distance(longitude, latitude) < FAR / 2 ? at : [],
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
