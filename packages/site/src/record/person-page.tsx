import type { PageContext } from '../layout/page-context.ts';
import { isLocated, Places, placesOf } from '../map/places.tsx';
import { Card } from './card.tsx';
import type { ListedRecord, PageRecord } from './page-record.ts';
import { type EditionFacts, renderRecordPage } from './record-frame.tsx';
import { RECORD_TEXTS } from './record-texts.ts';
import type { DatedEvent } from './sections.tsx';
import { CardSection, EventSection } from './sections.tsx';
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
  facts: EditionFacts,
): string {
  const texts = RECORD_TEXTS[page.language];
  const places = placesOf(events.map(({ location }) => location));
  return renderRecordPage({
    page,
    record: person,
    facts,
    line: <LifeLine page={page} person={person} />,
    hasMap: places.some(({ location }) => isLocated(location)),
    aside: (places.length > 0 || subjects.length > 0) && (
      <>
        <Places page={page} places={places} title={texts.places} />
        <CardSection page={page} title={texts.subjects} records={subjects} />
      </>
    ),
    children: (
      <>
        <EventSection page={page} events={events} count={eventCount} q={`kind:event person:${person.uuid}`} />
        {companions.length > 0 && (
          <section>
            <h2>{texts.companions}</h2>
            <ul class="cards columns-2">
              {companions.map(({ person: other, events: shared }) => (
                <Card key={other.uuid} page={page} record={other} note={texts.shared(shared)} />
              ))}
            </ul>
          </section>
        )}
      </>
    ),
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
            {date && <time datetime={date}>{formatDate(date, page.language)}</time>}
            {date && place.some(Boolean) && ', '}
            {place.filter(Boolean).join(', ')}
          </dd>
        </div>
      ))}
    </dl>
  );
}
