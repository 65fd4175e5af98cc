import type { PageContext } from '../layout/page-context.ts';
import { mapOfPlaces, Places, placesOf } from '../map/places.tsx';
import { Card } from './card.tsx';
import type { ListedRecord, PageRecord } from './page-record.ts';
import { type RecordPageFacts, renderRecordPage } from './record-frame.tsx';
import { RECORD_TEXTS } from './record-texts.ts';
import { cardSection, type DatedEvent, DateText, eventSection } from './sections.tsx';
import { formatDate } from './wording.ts';

/** The relations on the page of a person. */
export interface PersonRelations {
  subjects: readonly ListedRecord[];
  /** By date. */
  events: readonly DatedEvent[];
  eventCount: number;
  /** Persons in the same events, those with most events in common first. */
  companions: readonly { person: ListedRecord; events: number }[];
}

/** The page of a person: life dates, events by date with their places, and persons in the same events. */
export function personPage(
  page: PageContext,
  person: PageRecord,
  { subjects, events, eventCount, companions }: PersonRelations,
  facts: RecordPageFacts,
): string {
  const texts = RECORD_TEXTS[page.language];
  const places = placesOf(events.map(({ location }) => location));
  return renderRecordPage({
    page,
    record: person,
    facts,
    linked: { knowsAbout: subjects },
    line: <LifeLine page={page} person={person} />,
    map: mapOfPlaces(
      page,
      places.map(({ location }) => location),
    ),
    sections: [
      eventSection(page, events, eventCount, `kind:event person:${person.uuid}`),
      companions.length > 0 && {
        id: 'companions',
        title: texts.companions,
        children: (
          <ul class="cards columns-2">
            {companions.map(({ person: other, events: shared }) => (
              <Card key={other.uuid} page={page} record={other} note={texts.shared(shared)} />
            ))}
          </ul>
        ),
      },
    ],
    aside: [
      places.length > 0 && {
        id: 'places',
        title: texts.places,
        children: <Places page={page} places={places} />,
      },
      cardSection(page, 'subjects', texts.subjects, subjects),
    ],
  });
}

function LifeLine({ page, person }: { page: PageContext; person: PageRecord }) {
  const { born, died } = RECORD_TEXTS[page.language];
  const ends = [
    { word: born, date: person.birth_date, place: [person.birth_place, person.birth_country] },
    { word: died, date: person.death_date, place: [person.death_place, person.death_country] },
  ].filter(({ date, place }) => date || place.some(Boolean));
  if (ends.length === 0) return null;
  return (
    <dl class="life">
      {ends.map(({ word, date, place }) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>
            {date && <DateText date={date} text={formatDate(date, page.language)} />}
            {date && place.some(Boolean) && ', '}
            {place.filter(Boolean).join(', ')}
          </dd>
        </div>
      ))}
    </dl>
  );
}
