import type { Language } from '@archiefkast/types';
import type { EditionContents } from '../storage/edition.ts';
import { BASE_URL_MARK, SLOT_MARK } from '../storage/marks.ts';
import type { Form } from '../storage/stored-texts.ts';
import { MissingTextError, type StoredText } from '../storage/stored-texts.ts';
import { type Chunk, LocationStore } from './location-store.ts';
import type { EmbeddedText, RecordPlace, TextQueries } from './texts.ts';

export type { Chunk } from './location-store.ts';

/** Which edition: in its database, and anywhere. */
export type EditionName = Pick<EditionContents, 'id' | 'key'>;

/** Puts finished records together from their texts. */
export interface RecordReader {
  /** Bytes of locations that are kept in memory. */
  keptBytes(): number;
  /** Drops what is kept of an edition that nobody reads any more. */
  forget(edition: Pick<EditionName, 'key'>): void;
  /**
   * The JSON of records, in the order of `places`; three statements at most, however many there are.
   *
   * @throws MissingTextError when the edition does not have one of them: it is not kept any more
   */
  read(edition: EditionName, language: Language, places: readonly RecordPlace[]): Promise<Chunk[][]>;
}

/**
 * A reader of finished records.
 *
 * @param baseUrl root of every link
 */
export function createRecordReader(queries: TextQueries, baseUrl: string): RecordReader {
  const locationStore = new LocationStore();

  return {
    keptBytes: () => locationStore.byteLength,
    forget: ({ key }) => locationStore.forget(`${key} `),
    async read({ id: edition, key }, language, places) {
      const own = await queries.fetchTexts(edition, language, places);
      const inEvents = await fetchEmbedded('event', positionsOf(own, 'event'));
      const texts = new Map(
        [...own, ...inEvents].map(({ form, position, text }) => [placeKey(form, position), text]),
      );
      const textOf = (form: Form, position: number): string => {
        const text = texts.get(placeKey(form, position));
        if (text === undefined) throw new MissingTextError(edition, `the ${form} at position ${position}`);
        return text;
      };

      const locations = await locationStore.obtain(
        `${key} ${language}`,
        positionsOf([...own, ...inEvents], 'location'),
        async (positions) => {
          const slots = groupBySlot(await fetchEmbedded('location', positions));
          return new Map(
            positions.map((position) => {
              const chunks = fill(textOf('location', position), (form) => join(slots, form, position));
              return [position, chunks.join('')];
            }),
          );
        },
      );
      const slots = groupBySlot(inEvents);
      return places.map(({ kind, position }) => {
        const location = kind === 'location' ? locations.get(position) : undefined;
        if (location !== undefined) return [location];
        return fill(textOf(kind, position), (form) => {
          if (form !== 'location') return join(slots, form, position);
          return (slots.get(slotKey(form, position)) ?? []).flatMap(
            ({ position: at }) => locations.get(at) ?? [],
          );
        });
      });

      function fetchEmbedded(
        kind: 'event' | 'location',
        sources: readonly number[],
      ): Promise<EmbeddedText[]> {
        return sources.length > 0
          ? queries.fetchEmbedded(edition, language, kind, sources)
          : Promise.resolve([]);
      }
    },
  };

  /** The text with its slots filled. */
  function fill(text: string, slot: (form: string) => Chunk[]): Chunk[] {
    return text.split(SLOT_MARK).flatMap((part, index) => (index % 2 === 0 ? withBaseUrl(part) : slot(part)));
  }

  function join(slots: Map<string, EmbeddedText[]>, form: string, source: number): Chunk[] {
    const found = slots.get(slotKey(form, source)) ?? [];
    return [found.map(({ text }) => withBaseUrl(text)).join(',')];
  }

  function withBaseUrl(text: string): string {
    return text.replaceAll(BASE_URL_MARK, baseUrl);
  }
}

function positionsOf(texts: readonly StoredText[], form: Form): number[] {
  return [...new Set(texts.filter((text) => text.form === form).map(({ position }) => position))];
}

function placeKey(form: Form, position: number): string {
  return `${form} ${position}`;
}

function groupBySlot(embedded: readonly EmbeddedText[]): Map<string, EmbeddedText[]> {
  return Map.groupBy(embedded, ({ form, source }) => slotKey(form, source));
}

function slotKey(form: string, source: number): string {
  return `${form} in ${source}`;
}
