import { toEventFeature, toFeature } from '@archiefkast/formats/geojson';
import { type Fields, withKnownDates } from '@archiefkast/formats/reading';
import type { Event, Kind, Language, Location, Person } from '@archiefkast/types';
import type { Selection } from '@archiefkast/types/internal';
import { Caches, TOO_LARGE } from '../cache.ts';
import type { EditionContents, RecordKey } from '../storage/edition.ts';
import {
  BASE_URL_MARK,
  plainTextKindOf,
  SLOT_MARK,
  type TextKind,
  withoutMarks,
  withoutSlots,
} from '../storage/stored-texts.ts';
import { type EmbeddedText, MissingTextError, type TextQueries } from '../storage/texts.ts';
import { type Chunk, PackedText, textOf } from './chunks.ts';

/** Identifies an edition: by id in its database, by key anywhere. */
export type EditionName = Pick<EditionContents, 'id' | 'key'>;

/** The selected fields of each kind. */
export type Selections = Readonly<Record<Kind, Selection>>;

/** How records are written. */
export interface RecordForm {
  /** With these fields only; what events embed is then fetched only if one of its fields is selected. */
  selections?: Selections | undefined;
  /** Whether events have addresses in place of what they embed, as locations list them. */
  isAbbreviated?: boolean | undefined;
}

/** The kinds whose records can be shown on a map. */
export type MappedKind = 'location' | 'event';

/** The text of a record in the database is not JSON; see `cause`. */
export class InvalidTextError extends Error {
  override name = 'InvalidTextError';
}

/** Reads records of editions: see `createEditionReader`. */
export type EditionReader = ReturnType<typeof createEditionReader>;

/** A location longer than this is encoded once, shared by all records that embed it, and cached. */
const LARGE_CHARACTERS = 4_096;

/** Events of a location that are read at once: one with more is compressed, and never in memory as a whole. */
const BATCH_EVENTS = 1_000;
const FIRST_EVENTS = { textKind: 'abbreviated_event', first: 0, count: BATCH_EVENTS } as const;

/** What an event embeds, and in which field. */
const IN_EVENTS = [
  { textKind: 'person', field: 'persons' },
  { textKind: 'location', field: 'location' },
] as const;

/** The rendered text of a record, and its key. */
type Source = Pick<EmbeddedText, 'textKind' | 'position' | 'text'>;

/** Embedded texts, by the record that embeds them and their slot. */
type Slots = ReadonlyMap<string, readonly EmbeddedText[]>;

/** An edition in a language. */
interface Scope {
  edition: EditionName;
  language: Language;
}

/**
 * Creates a reader of editions as JSON, objects or GeoJSON features. Each function takes a constant number of statements, and
 * throws a MissingTextError if a record is missing because the edition is no longer kept, and an InvalidTextError if one that has
 * to be parsed is not JSON.
 *
 * @param baseUrl base of every link
 */
export function createEditionReader(queries: TextQueries, baseUrl: string, caches = new Caches()) {
  const sizeOf = (location: Chunk) => (typeof location === 'string' ? TOO_LARGE : location.byteLength);
  const largeLocations = caches.open<Chunk>('locations', sizeOf);

  return {
    /** The JSON of records with their embedded records, in the order of `keys`; at most three statements. */
    async read(
      edition: EditionName,
      language: Language,
      keys: readonly RecordKey[],
      { selections, isAbbreviated = false }: RecordForm = {},
    ): Promise<Chunk[][]> {
      const sources = keys.map(({ kind, position }) => ({
        kind: isAbbreviated ? plainTextKindOf(kind) : kind,
        position,
      }));
      const records = await readWhole({ edition, language }, sources, selections);
      if (!selections) return records;
      return records.map((record, index) => {
        const { kind } = keys[index] ?? { kind: 'person' };
        return [JSON.stringify(pick(parseJson(textOf(record)), selections[kind]))];
      });
    },
    /**
     * The records at positions as objects, with all their fields. Events are abbreviated: their references are URLs, and
     * they embed nothing.
     */
    async readFields(
      edition: EditionName,
      language: Language,
      kind: Kind,
      positions: readonly number[],
    ): Promise<Fields[]> {
      if (kind === 'location') {
        const keys = positions.map((position) => ({ kind, position }));
        const records = await readWhole({ edition, language }, keys);
        return records.map((record) => parseJson<Fields>(textOf(record)));
      }
      const texts = await queries.listTextsAt(edition.id, language, plainTextKindOf(kind), positions);
      return texts.map(({ text }) => parse(text));
    },
    /** The records at positions as GeoJSON features, in order. */
    async readFeatures(
      edition: EditionName,
      language: Language,
      kind: MappedKind,
      positions: readonly number[],
    ): Promise<string[]> {
      const texts = await queries.listTextsAt(edition.id, language, kind, positions);
      if (kind === 'location')
        return texts.map(({ text }) => JSON.stringify(toFeature(parse<Location>(text))));
      const embedded = await queries.listEmbedded(edition.id, language, kind, positions, ['person']);
      const persons = bySlot(kind, embedded);
      const locations = await readLocationsOfEvents({ edition, language }, positions);
      const supplements = await queries.supplementsAt(edition.id, kind, positions);
      return texts.map((event) =>
        JSON.stringify(
          toEventFeature({
            ...withKnownDates(parse<Event>(event.text), supplements.get(event.position)?.dates),
            location: locations.get(event.position) ?? null,
            persons: embeddedIn(persons, event, 'person').map(({ text }) => parse<Person>(text)),
          }),
        ),
      );
    },
  };

  /**
   * The locations of events, by the position of the event, without their embedded records. Each is read and parsed once:
   * the text of a location lists the ids of all its events.
   */
  async function readLocationsOfEvents(
    { edition, language }: Scope,
    events: readonly number[],
  ): Promise<Map<number, Location | undefined>> {
    const links = await queries.listLinks(edition.id, 'event', events, 'location');
    const positions = [...new Set(links.map(({ position }) => position))];
    const texts = await queries.listTextsAt(edition.id, language, 'location', positions);
    const locations = new Map(texts.map(({ position, text }) => [position, parse<Location>(text)]));
    return new Map(links.map(({ source, position }) => [source, locations.get(position)]));
  }

  /** Records with their embedded records, of which those may be left out that are in no selected field. */
  async function readWhole(
    scope: Scope,
    keys: readonly { kind: TextKind; position: number }[],
    selections?: Selections,
  ): Promise<Chunk[][]> {
    const { edition, language } = scope;
    const own = await queries.listTexts(edition.id, language, keys);
    const textKinds =
      selections && IN_EVENTS.filter(({ field }) => selections.event[field]).map(({ textKind }) => textKind);
    const events = textKinds?.length === 0 ? [] : positionsOfTexts(own, 'event');
    const inEvents = await queries.listEmbedded(edition.id, language, 'event', events, textKinds);
    const texts = byKey([...own, ...inEvents]);
    const embedding = [
      ...(isEmbedding(selections?.location) ? own : []),
      ...(isEmbedding(selections?.event['location']) ? inEvents : []),
    ];
    const locations = await readLocations(scope, positionsOfTexts(embedding, 'location'), texts);
    const slots = bySlot('event', inEvents);
    return keys.map(({ kind, position }) => {
      const location = kind === 'location' ? locations.get(position) : undefined;
      if (location !== undefined) return [location];
      const record = textAt(scope, texts, kind, position);
      return fill<Chunk>(record.text, (textKind) => {
        const embedded = embeddedIn(slots, record, textKind);
        if (textKind !== 'location') return join(embedded);
        const [only] = embedded;
        return only ? (locations.get(only.position) ?? withBaseUrl(withoutSlots(only.text))) : 'null';
      });
    });
  }

  /**
   * Locations with their embedded records, by position. Concurrent requests for a location share the work, and large ones are
   * cached as bytes: a location with many events is on many event pages, and slow to assemble. One statement for each
   * `BATCH_EVENTS` of the busiest.
   */
  async function readLocations(
    scope: Scope,
    positions: readonly number[],
    texts: ReadonlyMap<string, Source>,
  ): Promise<Map<number, Chunk>> {
    const missing: number[] = [];
    const embedded = Promise.withResolvers<Slots>();
    const make = async (position: number): Promise<Chunk> => {
      missing.push(position);
      const slots = await embedded.promise;
      const location = textAt(scope, texts, 'location', position);
      if (embeddedIn(slots, location, 'abbreviated_event').length === BATCH_EVENTS)
        return packLocation(scope, location, slots);
      const text = fill(location.text, (textKind) => join(embeddedIn(slots, location, textKind))).join('');
      return text.length <= LARGE_CHARACTERS ? text : Buffer.from(text);
    };
    const locations = positions.map(
      async (position): Promise<[number, Chunk]> => [
        position,
        await largeLocations.fetch(`${scope.edition.key} ${scope.language} ${position}`, () =>
          make(position),
        ),
      ],
    );
    const { edition, language } = scope;
    const found = queries.listEmbedded(edition.id, language, 'location', missing, [], FIRST_EVENTS);
    embedded.resolve(found.then((texts) => bySlot('location', texts)));
    return new Map(await Promise.all(locations));
  }

  /** A location with many events, of which `slots` have the first. */
  async function packLocation(
    { edition, language }: Scope,
    location: Source,
    slots: Slots,
  ): Promise<PackedText> {
    const packed = new PackedText();
    for (const [index, part] of location.text.split(SLOT_MARK).entries()) {
      if (index % 2 === 0) packed.add(withBaseUrl(part));
      else packed.add(join(embeddedIn(slots, location, part)));
      if (part !== 'abbreviated_event') continue;
      for (let first = BATCH_EVENTS; ; first += BATCH_EVENTS) {
        const at = [location.position];
        const next = { textKind: part, first, count: BATCH_EVENTS } as const;
        const events = await queries.listEmbedded(edition.id, language, 'location', at, [part], next);
        if (events.length > 0) packed.add(`,${join(events)}`);
        if (events.length < BATCH_EVENTS) break;
      }
    }
    return packed;
  }

  /** Fills the slots of a text. */
  function fill<Part extends Chunk>(text: string, slot: (textKind: string) => Part): (string | Part)[] {
    return text.split(SLOT_MARK).map((part, index) => (index % 2 === 0 ? withBaseUrl(part) : slot(part)));
  }

  function join(embedded: readonly EmbeddedText[]): string {
    return embedded.map(({ text }) => withBaseUrl(text)).join(',');
  }

  function withBaseUrl(text: string): string {
    return text.replaceAll(BASE_URL_MARK, baseUrl);
  }

  /** Parses a rendered text with links, without embedded records. */
  function parse<Plain>(text: string): Plain {
    return parseJson(withoutMarks(text, baseUrl));
  }
}

/** @throws InvalidTextError */
function parseJson<Value>(text: string): Value {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidTextError(`invalid JSON: ${error}`, { cause: error });
  }
}

/** The selected fields of a record, or of embedded ones. */
function pick(value: unknown, selection: Selection | 'all'): unknown {
  if (selection === 'all' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => pick(each, selection));
  const fields = new Map(Object.entries(value));
  return Object.fromEntries(
    Object.entries(selection).map(([field, inner]) => [field, pick(fields.get(field), inner)]),
  );
}

/** Whether the selected fields of a location, by default all, contain records that it embeds. */
function isEmbedding(location: Selection | 'all' = 'all'): boolean {
  return location === 'all' || 'events' in location || 'subjects' in location;
}

function positionsOfTexts(texts: readonly Source[], textKind: TextKind): number[] {
  return [...new Set(texts.filter((text) => text.textKind === textKind).map(({ position }) => position))];
}

function byKey(texts: readonly Source[]): Map<string, Source> {
  return new Map(texts.map((text) => [`${text.textKind} ${text.position}`, text]));
}

function textAt(
  { edition }: Scope,
  texts: ReadonlyMap<string, Source>,
  textKind: TextKind,
  position: number,
): Source {
  const text = texts.get(`${textKind} ${position}`);
  if (!text) throw new MissingTextError(edition.id, `the ${textKind} at position ${position}`);
  return text;
}

function bySlot(textKind: MappedKind, embedded: readonly EmbeddedText[]): Slots {
  return Map.groupBy(embedded, (text) => `${text.textKind} in ${textKind} ${text.source}`);
}

function embeddedIn(slots: Slots, { textKind, position }: Source, embedded: string): readonly EmbeddedText[] {
  return slots.get(`${embedded} in ${textKind} ${position}`) ?? [];
}
