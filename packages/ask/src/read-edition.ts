import { describeRecord } from '@archiefkast/formats/describe-record';
import { htmlReading } from '@archiefkast/formats/html-reading';
import type { ArchiveIndex, ArchiveRecord, Language, SearchEntry } from '@archiefkast/types';
import { nameOfRecord } from '@archiefkast/types/internal/fields';
import { cut, type Size } from './answer.ts';
import type { AskedArchive, ReadParameters } from './archive.ts';

/** The fields that answers tell: without what records embed, which has no limit. */
const FIELDS = [
  ...['uuid', 'url', 'title', 'name', 'summary', 'content', 'description', 'image', 'main_image'],
  ...['birth_date', 'birth_place', 'birth_country', 'death_date', 'death_place', 'death_country', 'gender'],
  ...['street', 'zipcode', 'city', 'state', 'land', 'latitude', 'longitude', 'parent', 'same_as'],
  ...['date', 'date_start', 'date_end', 'location.name', 'location.city', 'persons.title'],
].join(',');

/** What a question is about: in a language, and of an edition by its key. */
export interface Scope {
  language: Language;
  edition?: string | undefined;
}

/** A page of a search. */
export interface Found {
  count: number;
  results: SearchEntry[];
}

/** An edition of an archive, from which all of an answer is read. */
export type ReadEdition = Awaited<ReturnType<typeof readEdition>>;

/** Opens the edition of a question: the named one, or the served one. @throws ArchiveFault if it is not kept */
export async function readEdition(archive: AskedArchive, { language, edition }: Scope) {
  const index = archive.isBare ? undefined : await archive.read<ArchiveIndex>(language, '/api', { edition });
  const key = index?.edition.key;
  const read = <Body>(path: string, parameters: ReadParameters) =>
    archive.read<Body>(language, path, { edition: key, ...parameters });
  return {
    language,
    index,
    read,
    /** The content notes of a record; none if the archive is known for search only. */
    readNotes: async (uuid: string) => (key ? await archive.readNotes(language, uuid, key) : []),
    /** A page of a search, with events and the like left out of its records. */
    async search(q: string, page = 1, sort?: string): Promise<Found> {
      const parameters = { q: q || undefined, sort, page: page === 1 ? undefined : String(page) };
      const { count, results } = await read<Found>('/api/search', { ...parameters, fields: FIELDS });
      const bare = { events: [], subjects: [], related_locations: [] };
      return {
        count,
        results: results.map((entry) => Object.assign(entry, { instance: { ...entry.instance, ...bare } })),
      };
    },
    /** The edition, as every answer names it. */
    edition: index && { number: index.edition.id, key: index.edition.key },
    /** The address of a record that stays. */
    addressOf: ({ uuid, url }: ArchiveRecord) => (archive.isBare ? url : `${archive.baseUrl}/id/${uuid}`),
    /** The address where the archive gives an answer; undefined if it is so long that it says nothing. */
    sourceOf(path: string, parameters: Readonly<Record<string, string>>): string | undefined {
      const given = Object.entries(parameters).filter(([, value]) => value !== '');
      const address = `${archive.baseUrl}/${language}${path}?${new URLSearchParams(given)}`;
      return address.length <= 400 ? address : undefined;
    },
  };
}

/** A record as a hit: in a sentence at most, with its address. */
export function describeHit({ addressOf }: ReadEdition, { type, instance }: SearchEntry, size: Size) {
  const { date, place } = describeRecord(instance);
  const summary = 'summary' in instance ? instance.summary : '';
  const text = summary || ('content' in instance ? instance.content : '');
  return {
    name: cut(nameOfRecord(instance), size),
    kind: type,
    dates: cut(date, size) || undefined,
    place: cut(place, size) || undefined,
    sentence: cut(htmlReading(text).text, { characters: Math.min(size.characters, 160) }) || undefined,
    uuid: instance.uuid,
    address: addressOf(instance),
  };
}
