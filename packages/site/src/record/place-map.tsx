import { linkTo, type PageContext } from '../layout/page-context.ts';
import type { PageRecord } from './page-record.ts';
import { nameOf, recordPath } from './wording.ts';

/** Places of a page: a list, which a script turns into a map where it can. */
export function PlaceMap({
  page,
  places,
  title,
}: {
  page: PageContext;
  places: readonly PageRecord[];
  title: string;
}) {
  const located = places.filter(
    ({ latitude, longitude, uuid }, index) =>
      latitude && longitude && places.findIndex((other) => other.uuid === uuid) === index,
  );
  if (located.length === 0) return null;
  return (
    <section class="places">
      <h2>{title}</h2>
      <ul class="cards columns-2">
        {located.map((place) => (
          <li key={place.uuid} class="card" data-latitude={place.latitude} data-longitude={place.longitude}>
            <a href={linkTo(page, recordPath(page.language, place))}>{nameOf(place, page.language).text}</a>
            {place.city && place.city !== nameOf(place, page.language).text && (
              <span class="fact"> {place.city}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
