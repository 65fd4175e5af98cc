import { KINDS, type Kind } from '@archiefkast/types';
import {
  card,
  cardList,
  cards,
  type DatedEvent,
  dateText,
  placesOf,
  recordLink,
  timeline,
} from './cards.tsx';
import { isLocated, mapOfPlaces, onMap } from './map.tsx';
import type { Page } from './page.ts';
import { formatDate, formatPeriod, nameOf, type PageRecord } from './record.ts';
import { type RecordPageFacts, type RecordSection, renderRecordPage } from './record-page.tsx';

/** The relations on the page of a person. */
export interface PersonRelations {
  subjects: readonly PageRecord[];
  /** By date. */
  events: readonly DatedEvent[];
  eventCount: number;
  /** Persons in the same events, those with most events in common first. */
  companions: readonly { person: PageRecord; events: number }[];
}

/** The page of a person: life dates, events by date with their places, and persons in the same events. */
export function personPage(
  page: Page,
  person: PageRecord,
  { subjects, events, eventCount, companions }: PersonRelations,
  facts: RecordPageFacts,
): string {
  const { t } = page;
  const places = placesOf(events);
  return renderRecordPage(page, person, facts, {
    linked: { knowsAbout: subjects },
    line: lifeLine(page, person),
    map: mapOfPlaces(page, places),
    sections: [
      eventSection(page, events, eventCount, `kind:event person:${person.uuid}`),
      {
        id: 'companions',
        title: t.companions,
        children: cardList(
          companions.map(({ person: other, events: shared }) => card(page, other, t.sharedEvents(shared))),
          'columns-2',
        ),
      },
    ],
    aside: [
      {
        id: 'places',
        title: t.places,
        children: cardList(
          places.map((place) =>
            card(page, place.location, t.sharedEvents(place.events), onMap(place.location)),
          ),
        ),
      },
      subjectSection(page, subjects),
    ],
  });
}

function lifeLine({ t }: Page, person: PageRecord) {
  const ends = [
    { word: t.born, date: person.birth_date, place: [person.birth_place, person.birth_country] },
    { word: t.died, date: person.death_date, place: [person.death_place, person.death_country] },
  ].filter(({ date, place }) => date || place.some(Boolean));
  if (ends.length === 0) return null;
  return (
    <dl class="life">
      {ends.map(({ word, date, place }) => (
        <div>
          <dt>{word}</dt>
          <dd>
            {date && dateText(date, formatDate(date, t))}
            {date && place.some(Boolean) && ', '}
            {place.filter(Boolean).join(', ')}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The first events of a record by date, and a link to all of them. */
function eventSection(page: Page, events: readonly DatedEvent[], count: number, q: string): RecordSection {
  return {
    ...{ id: 'events', title: page.t.kinds.event.many, count, children: timeline(page, events) },
    all: count > events.length && { q, sort: 'date' },
  };
}

function subjectSection(page: Page, subjects: readonly PageRecord[]): RecordSection {
  return { id: 'subjects', title: page.t.kinds.subject.many, children: cards(page, subjects) };
}

/** The relations on the page of a location. */
export interface LocationRelations {
  /** By date. */
  events: readonly DatedEvent[];
  eventCount: number;
  subjects: readonly PageRecord[];
  related: readonly PageRecord[];
}

/** The page of a location: its address, and the events there by date. */
export function locationPage(
  page: Page,
  location: PageRecord,
  { events, eventCount, subjects, related }: LocationRelations,
  facts: RecordPageFacts,
): string {
  const { t } = page;
  const { street, zipcode, city, state, land } = location;
  const address = [street, [zipcode, city].filter(Boolean).join(' '), state, land].filter(Boolean);
  const inCity = { q: `kind:location city:="${city?.replaceAll('"', '')}"` };
  return renderRecordPage(page, location, facts, {
    linked: { 'skos:related': related },
    trail: city ? [<a href={page.linkToSearch(inCity)}>{city}</a>] : [],
    line: address.length > 0 && <p class="line">{address.join(', ')}</p>,
    map: isLocated(location) && [mapOfPlaces(page, [{ location }]), coordinates(page, location)],
    sections: [eventSection(page, events, eventCount, `kind:event location:${location.uuid}`)],
    aside: [
      subjectSection(page, subjects),
      { id: 'related', title: t.related, children: cards(page, related) },
    ],
  });
}

function coordinates(page: Page, location: PageRecord) {
  const { latitude, longitude } = location;
  return (
    <p class="coordinates small" {...onMap(location)} data-name={nameOf(location, page.language).text}>
      <a href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}&zoom=16`} rel="noopener">
        {Number(latitude).toFixed(5)}, {Number(longitude).toFixed(5)}
      </a>
    </p>
  );
}

/** The relations on the page of an event. */
export interface EventRelations {
  persons: readonly PageRecord[];
  location: PageRecord | undefined;
  subjects: readonly PageRecord[];
}

/** The page of an event: when, where, and who. */
export function eventPage(
  page: Page,
  event: PageRecord,
  { persons, location, subjects }: EventRelations,
  facts: RecordPageFacts,
): string {
  const { t } = page;
  const when = formatPeriod(event, t);
  const date = event.date || event.date_start || event.date_end || '';
  return renderRecordPage(page, event, facts, {
    linked: { location, attendee: persons, about: subjects },
    line: when && <p class="line">{dateText(date, when)}</p>,
    map: location && mapOfPlaces(page, [{ location }]),
    sections: [{ id: 'persons', title: t.kinds.person.many, children: cards(page, persons, 'columns-2') }],
    aside: [
      {
        id: 'location',
        title: t.where,
        children: location && cardList([card(page, location, undefined, onMap(location))]),
      },
      subjectSection(page, subjects),
    ],
  });
}

/** Some records, and their total number. */
export interface Selection {
  records: readonly PageRecord[];
  count: number;
}

/** The relations on the page of a subject. */
export interface SubjectRelations {
  /** From the top of the hierarchy to the parent. */
  broader: readonly PageRecord[];
  narrower: Selection;
  /** The others below its parent. */
  siblings: readonly PageRecord[];
  about: Readonly<Partial<Record<Kind, Selection>>>;
}

/** The page of a subject: its place in the hierarchy, and its records by kind. */
export function subjectPage(
  page: Page,
  subject: PageRecord,
  { broader, narrower, siblings, about }: SubjectRelations,
  facts: RecordPageFacts,
): string {
  const { t } = page;
  const sameAs = (subject.same_as ?? []).filter((address) => /^https?:\/\//.test(address));
  const select = (id: string, title: string, { records, count }: Selection, q: string, sort = 'name') => ({
    ...{ id, title, count, children: cards(page, records, 'columns-2') },
    all: count > records.length && { q, sort },
  });
  return renderRecordPage(page, subject, facts, {
    linked: { 'skos:broader': broader.at(-1), 'skos:narrower': narrower.records },
    trail: broader.map((record) => recordLink(page, record)),
    sections: [
      select('narrower', t.narrower, narrower, `parent:${subject.uuid}`),
      ...KINDS.map((kind) => {
        const q = `kind:${kind} subject:${subject.uuid}`;
        const found = about[kind] ?? { records: [], count: 0 };
        return select(kind, t.kinds[kind].many, found, q, kind === 'event' ? 'date' : 'name');
      }),
    ],
    aside: [
      {
        id: 'siblings',
        title: t.siblings,
        children: siblings.length > 0 && (
          <details>
            <summary>{t.all(page.number(siblings.length))}</summary>
            {cards(page, siblings)}
          </details>
        ),
      },
      {
        id: 'elsewhere',
        title: t.elsewhere,
        children: cardList(
          sameAs.map((address) => (
            <li class="card">
              <a href={address} rel="noopener">
                {address.replace(/^https?:\/\//, '')}
              </a>
            </li>
          )),
        ),
      },
    ],
  });
}
