import { nameOf, type RecordView } from '@archiefkast/formats/record-view';
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
import { formatDate, formatPeriod } from './record.ts';
import {
  type RecordPageFacts,
  type RecordParts,
  type RecordSection,
  renderRecordPage,
} from './record-page.tsx';

/** The first records of a list, and the number of all; search has the rest. */
export interface Listed<Item = RecordView> {
  items: readonly Item[];
  count: number;
}

/** What the page of a record shows of others. */
export interface RelatedRecords {
  person: {
    /** By date, with their places. */
    events: Listed<DatedEvent>;
    /** Other persons in these events, those with most events in common first. */
    companions: readonly { person: RecordView; events: number }[];
    subjects: readonly RecordView[];
  };
  subject: {
    /** The subjects above it, from the top of the hierarchy. */
    broader: readonly RecordView[];
    narrower: Listed;
    /** The other subjects right below the one above it. */
    siblings: readonly RecordView[];
    about: Readonly<Record<Exclude<Kind, 'subject'>, Listed>>;
  };
  location: {
    events: Listed<DatedEvent>;
    subjects: readonly RecordView[];
    related: readonly RecordView[];
  };
  event: {
    location: RecordView | undefined;
    persons: readonly RecordView[];
    subjects: readonly RecordView[];
  };
}

/** The page of a record of a kind, with its relations to others. */
export function recordPageOf<Of extends Kind>(
  page: Page,
  kind: Of,
  record: RecordView,
  facts: RecordPageFacts & { related: RelatedRecords[Of] },
): string {
  return renderRecordPage(page, record, facts, PARTS[kind](page, record, facts.related));
}

const PARTS: {
  readonly [Of in Kind]: (page: Page, record: RecordView, related: RelatedRecords[Of]) => RecordParts;
} = { person: personParts, subject: subjectParts, location: locationParts, event: eventParts };

/** A person: life dates, events by date with their places, and persons in the same events. */
function personParts(page: Page, person: RecordView, related: RelatedRecords['person']): RecordParts {
  const { t } = page;
  const { events, companions, subjects } = related;
  const places = placesOf(events.items);
  const companionCards = companions.map(({ person: other, events: shared }) =>
    card(page, other, t.sharedEvents(shared)),
  );
  const placeCards = places.map(({ location, events: shared }) =>
    card(page, location, t.sharedEvents(shared), onMap(location)),
  );
  return {
    line: lifeLine(page, person),
    map: mapOfPlaces(page, places),
    sections: [
      eventSection(page, events, `kind:event person:${person.uuid}`),
      { id: 'companions', title: t.companions, children: cardList(companionCards) },
    ],
    aside: [
      { id: 'places', title: t.places, children: cardList(placeCards) },
      subjectSection(page, subjects),
    ],
  };
}

function lifeLine({ t }: Page, person: RecordView) {
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

/** The first events of a record by date. */
function eventSection(page: Page, events: Listed<DatedEvent>, q: string): RecordSection {
  const title = page.t.kinds.event.many;
  return { id: 'events', title, children: timeline(page, events.items), ...firstOf(events, q, 'date') };
}

/** The number of all records of a section, and the search for them if it has the first only. */
function firstOf({ items, count }: Listed<unknown>, q: string, sort: string) {
  return { count, all: count > items.length && { q, sort } };
}

function subjectSection(page: Page, subjects: readonly RecordView[]): RecordSection {
  return { id: 'subjects', title: page.t.kinds.subject.many, children: cards(page, subjects) };
}

/** A location: its address, and the events there by date. */
function locationParts(
  page: Page,
  location: RecordView,
  { events, subjects, related }: RelatedRecords['location'],
): RecordParts {
  const { t } = page;
  const { street, zipcode, city, state, land } = location;
  const address = [street, [zipcode, city].filter(Boolean).join(' '), state, land].filter(Boolean);
  const inCity = { q: `kind:location city:="${city?.replaceAll('"', '')}"` };
  return {
    trail: city
      ? [
          <a href={page.linkToSearch(inCity)} rel="nofollow">
            {city}
          </a>,
        ]
      : [],
    line: address.length > 0 && <p class="line">{address.join(', ')}</p>,
    map: isLocated(location) && [mapOfPlaces(page, [{ location }]), coordinates(page, location)],
    sections: [eventSection(page, events, `kind:event location:${location.uuid}`)],
    aside: [
      subjectSection(page, subjects),
      { id: 'related', title: t.related, children: cards(page, related) },
    ],
  };
}

function coordinates(page: Page, location: RecordView) {
  const { latitude, longitude } = location;
  return (
    <p class="coordinates small" {...onMap(location)} data-name={nameOf(location, page.language).text}>
      <a href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}&zoom=16`} rel="noopener">
        {Number(latitude).toFixed(5)}, {Number(longitude).toFixed(5)}
      </a>
    </p>
  );
}

/** An event: when, where, and who. */
function eventParts(
  page: Page,
  event: RecordView,
  { location, persons, subjects }: RelatedRecords['event'],
): RecordParts {
  const { t } = page;
  const when = formatPeriod(event, t);
  const date = event.date || event.date_start || event.date_end || '';
  const place = location && cardList([card(page, location, undefined, onMap(location))]);
  return {
    line: when && <p class="line">{dateText(date, when)}</p>,
    map: location && mapOfPlaces(page, [{ location }]),
    sections: [{ id: 'persons', title: t.kinds.person.many, children: cards(page, persons) }],
    aside: [{ id: 'location', title: t.where, children: place }, subjectSection(page, subjects)],
  };
}

/** A subject: its place in the hierarchy, and its records by kind. */
function subjectParts(
  page: Page,
  subject: RecordView,
  { broader, narrower, siblings, about }: RelatedRecords['subject'],
): RecordParts {
  const { t } = page;
  const listBelow = (records: readonly RecordView[]) => cards(page, records.map(withoutBroader));
  const foldedSiblings = siblings.length > 0 && (
    <details>
      <summary>{t.all(page.number(siblings.length))}</summary>
      {listBelow(siblings)}
    </details>
  );
  const sameAs = (subject.same_as ?? []).filter((address) => /^https?:\/\//.test(address));
  const vocabularies = sameAs.map((address) => (
    <li class="card">
      <a href={address} rel="noopener">
        {address.replace(/^https?:\/\//, '')}
      </a>
    </li>
  ));
  return {
    trail: broader.map((above) => recordLink(page, above)),
    sections: [
      {
        ...{ id: 'narrower', title: t.narrower, children: listBelow(narrower.items) },
        ...firstOf(narrower, `parent:${subject.uuid}`, 'name'),
      },
      ...KINDS.filter((kind) => kind !== 'subject').map((kind) => {
        const all = firstOf(
          about[kind],
          `kind:${kind} subject:${subject.uuid}`,
          kind === 'event' ? 'date' : 'name',
        );
        return { id: kind, title: t.kinds[kind].many, children: cards(page, about[kind].items), ...all };
      }),
    ],
    aside: [
      { id: 'siblings', title: t.siblings, children: foldedSiblings },
      { id: 'elsewhere', title: t.elsewhere, children: cardList(vocabularies) },
    ],
  };
}

/** A subject in a list of those below one. */
function withoutBroader(record: RecordView): RecordView {
  return record.branch ? { ...record, branch: { narrower: record.branch.narrower } } : record;
}
