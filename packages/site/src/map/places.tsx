import { linkTo, type PageContext } from '../layout/page-context.ts';
import type { ListedRecord } from '../record/page-record.ts';
import { RECORD_TEXTS } from '../record/record-texts.ts';
import { langOf, nameOf, recordPath } from '../record/wording.ts';
import { onMap, PageMap } from './page-map.tsx';

/** A location, and the number of events of a page at it. */
export interface Place {
  location: ListedRecord;
  events: number;
}

/** The places of a page: a map and a list. */
export function Places({
  page,
  places,
  title,
}: {
  page: PageContext;
  places: readonly Place[];
  title: string;
}) {
  if (places.length === 0) return null;
  return (
    <section class="places">
      <h2>{title}</h2>
      {places.some(({ location }) => isLocated(location)) && <PageMap page={page} />}
      <ul class="cards">
        {places.map(({ location, events }) => {
          const name = nameOf(location, page.language);
          const facts = [
            location.city === name.text ? undefined : location.city,
            RECORD_TEXTS[page.language].shared(events),
          ];
          return (
            <li key={location.uuid} class="card" {...onMap(location)}>
              <a href={linkTo(page, recordPath(page.language, location))} {...langOf(name, page)}>
                {name.text}
              </a>{' '}
              <span class="fact">{facts.filter(Boolean).join(' · ')}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The distinct places of events, those with most events first. */
export function placesOf(locations: readonly (ListedRecord | undefined)[]): Place[] {
  const places = new Map<string, Place>();
  for (const location of locations) {
    if (!location) continue;
    places.set(location.uuid, { location, events: (places.get(location.uuid)?.events ?? 0) + 1 });
  }
  return [...places.values()].toSorted((a, b) => b.events - a.events);
}

/** Whether a location has coordinates. */
export function isLocated({ latitude, longitude }: Pick<ListedRecord, 'latitude' | 'longitude'>): boolean {
  return Boolean(latitude && longitude);
}
