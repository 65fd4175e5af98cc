import type { PageContext } from '../layout/page-context.ts';
import { PageMap } from '../map/page-map.tsx';
import { isLocated } from '../map/places.tsx';
import { Card } from './card.tsx';
import type { ListedRecord, PageRecord } from './page-record.ts';
import { type EditionFacts, renderRecordPage } from './record-frame.tsx';
import { RECORD_TEXTS } from './record-texts.ts';
import { CardSection } from './sections.tsx';
import { formatPeriod } from './wording.ts';

/** The relations on the page of an event. */
export interface EventRelations {
  persons: readonly ListedRecord[];
  location: ListedRecord | undefined;
  subjects: readonly ListedRecord[];
}

/** The page of an event: when, where, and who. */
export function eventPage(
  page: PageContext,
  event: PageRecord,
  { persons, location, subjects }: EventRelations,
  facts: EditionFacts,
): string {
  const texts = RECORD_TEXTS[page.language];
  const when = formatPeriod(event, page.language);
  return renderRecordPage({
    page,
    record: event,
    facts,
    line: when && (
      <p class="line">
        <time datetime={event.date || event.date_start || event.date_end || undefined}>{when}</time>
      </p>
    ),
    hasMap: location !== undefined && isLocated(location),
    aside: (location || subjects.length > 0) && (
      <>
        {location && (
          <section>
            <h2>{texts.where}</h2>
            {isLocated(location) && <PageMap page={page} />}
            <ul class="cards">
              <Card page={page} record={location} isOnMap />
            </ul>
          </section>
        )}
        <CardSection page={page} title={texts.subjects} records={subjects} />
      </>
    ),
    children: persons.length > 0 && (
      <section>
        <h2>{texts.persons}</h2>
        <ul class="cards columns-2">
          {persons.map((person) => (
            <Card key={person.uuid} page={page} record={person} />
          ))}
        </ul>
      </section>
    ),
  });
}
