import { toEventFeature, toFeature } from '@archiefkast/formats/geojson';
import type { Event, Language, Location, Person } from '@archiefkast/types';
import { withoutMarks } from '../storage/marks.ts';
import type { TextQueries } from './texts.ts';

/** The kinds whose records can be put on a map. */
export type MappedKind = 'location' | 'event';

/** Writes records as features of GeoJSON. */
export interface FeatureWriter {
  /** The JSON of the features of the records at positions, in their order. */
  write(
    edition: number,
    language: Language,
    kind: MappedKind,
    positions: readonly number[],
  ): Promise<string[]>;
}

/** A writer of features. @param baseUrl root of every link */
export function createFeatureWriter(queries: TextQueries, baseUrl: string): FeatureWriter {
  const parse = <Plain>(text: string): Plain => JSON.parse(withoutMarks(text, baseUrl));

  return {
    async write(edition, language, kind, positions) {
      if (kind === 'location') {
        const texts = await queries.fetchAt(edition, language, 'location', positions);
        return texts.map(({ text }) => JSON.stringify(toFeature(parse<Location>(text))));
      }
      const texts = await queries.fetchAt(edition, language, 'event', positions);
      const embedded = await queries.fetchEmbedded(edition, language, 'event', positions, [
        'location',
        'person',
      ]);
      const inEvent = Map.groupBy(embedded, ({ source, form }) => `${form} in ${source}`);
      return texts.map(({ position, text }) => {
        const [location] = inEvent.get(`location in ${position}`) ?? [];
        const persons = inEvent.get(`person in ${position}`) ?? [];
        const event = {
          ...parse<Event>(text),
          location: location ? parse<Location>(location.text) : null,
          persons: persons.map((person) => parse<Person>(person.text)),
        };
        return JSON.stringify(toEventFeature(event));
      });
    },
  };
}
