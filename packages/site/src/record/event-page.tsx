import type { PageContext } from '../layout/page-context.ts';
import { mapOfPlaces } from '../map/places.tsx';
import { Card, Cards } from './card.tsx';
import type { ListedRecord, PageRecord } from './page-record.ts';
import { type RecordPageFacts, renderRecordPage } from './record-frame.tsx';
import { RECORD_TEXTS } from './record-texts.ts';
import { cardSection, DateText } from './sections.tsx';
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
  facts: RecordPageFacts,
): string {
  const texts = RECORD_TEXTS[page.language];
  const when = formatPeriod(event, page.language);
  return renderRecordPage({
    page,
    record: event,
    facts,
    linked: { location, attendee: persons, about: subjects },
    line: when && (
      <p class="line">
        <DateText date={event.date || event.date_start || event.date_end || ''} text={when} />
      </p>
    ),
    map: location && mapOfPlaces(page, [location]),
    sections: [
      persons.length > 0 && {
        id: 'persons',
        title: texts.persons,
        children: <Cards page={page} records={persons} isInColumns />,
      },
    ],
    aside: [
      location && {
        id: 'location',
        title: texts.where,
        children: (
          <ul class="cards">
            <Card page={page} record={location} isOnMap />
          </ul>
        ),
      },
      cardSection(page, 'subjects', texts.subjects, subjects),
    ],
  });
}
