import { nameOf, type RecordView, sortedDateOf } from '@archiefkast/formats/record-view';
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
import { type DateBar, dateBars } from './date-bars.tsx';
import { type Companion, lifeBand } from './life-band.tsx';
import { isLocated, mapOfPlaces, onMap } from './map.tsx';
import type { Page } from './page.ts';
import { formatDate, formatPeriod, postalAddress, recordPath } from './record.ts';
import {
  type RecordPageFacts,
  type RecordParts,
  type RecordSection,
  renderRecordPage,
} from './record-page.tsx';

export type { LongText } from './long-text.ts';
export { longTextOf } from './record-page.tsx';

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
    companions: readonly Companion[];
    subjects: readonly RecordView[];
  };
  subject: {
    /** The subjects above it, from the top of the hierarchy. */
    broader: readonly RecordView[];
    narrower: Listed;
    /** The other subjects right below the one above it. */
    siblings: readonly RecordView[];
    about: Readonly<Record<Exclude<Kind, 'subject'>, Listed>>;
    /** The numbers of records that have it or a subject below it. */
    below: Readonly<Record<Exclude<Kind, 'subject'>, number>>;
  };
  location: {
    events: Listed<DatedEvent>;
    /** The persons in these events, those with most events first. */
    persons: readonly Companion[];
    subjects: readonly RecordView[];
    related: readonly RecordView[];
    /** The nearest locations, with their distance. */
    near: readonly { location: RecordView; metres: number }[];
  };
  event: {
    location: RecordView | undefined;
    persons: readonly RecordView[];
    subjects: readonly RecordView[];
    /** The events at its location just before it, and just after it, by date. */
    before: readonly RecordView[];
    after: readonly RecordView[];
  };
}

/** What the archive has in a town or country, with the queries for it. */
export interface Area {
  field: 'city' | 'land';
  counts: readonly { kind: Kind; count: number; q: string }[];
  /** The events there through time. */
  bars: readonly DateBar[];
}

/** The places of the page of a record. */
export interface PageTowns {
  /** Of a town or country. */
  area?: Area | undefined;
  /** The locations that are the towns which the record names, by name. */
  towns: ReadonlyMap<string, RecordView>;
}

/** The page of a record of a kind, with its relations to others. */
export function recordPageOf<Of extends Kind>(
  page: Page,
  kind: Of,
  record: RecordView,
  facts: RecordPageFacts & PageTowns & { related: RelatedRecords[Of] },
): string {
  return renderRecordPage(page, record, facts, PARTS[kind](page, record, facts.related, facts));
}

const PARTS: {
  readonly [Of in Kind]: (
    page: Page,
    record: RecordView,
    related: RelatedRecords[Of],
    places: PageTowns,
  ) => RecordParts;
} = { person: personParts, subject: subjectParts, location: locationParts, event: eventParts };

/** A person: life dates, events by date with their places, and persons in the same events. */
function personParts(
  page: Page,
  person: RecordView,
  related: RelatedRecords['person'],
  { towns }: PageTowns,
): RecordParts {
  const { t } = page;
  const { events, companions, subjects } = related;
  const places = placesOf(events.items);
  const placeCards = places.map(({ location, events: shared, number }) =>
    card(page, location, {
      note: t.sharedEvents(shared),
      attributes: { ...onMap(location), 'data-number': String(number) },
    }),
  );
  return {
    line: lifeLine(page, person, towns),
    map: mapOfPlaces(page, places),
    sections: [
      {
        id: 'life',
        title: t.life,
        children: lifeBand(page, person, { ...related, events: events.items, places }),
      },
      eventSection(page, events, `kind:event person:${person.uuid}`),
      { id: 'companions', title: t.companions, children: sharedCards(page, companions) },
    ],
    aside: [
      { id: 'places', title: t.places, children: cardList(placeCards) },
      subjectSection(page, subjects),
    ],
  };
}

/** Persons, each with a number of events. */
function sharedCards(page: Page, persons: RelatedRecords['person']['companions']) {
  return cardList(
    persons.map(({ person, events }) => card(page, person, { note: page.t.sharedEvents(events) })),
  );
}

/** A link to what the archive has in a town: on its page, if it has one. */
function townLink(page: Page, name: string, towns: PageTowns['towns'], words = name) {
  const town = towns.get(name);
  const query = { q: `place:="${name.replaceAll(/["“”„‟«»‹›＂]/g, '')}"` };
  return town ? (
    <a href={`${page.link(recordPath(page.language, town))}#area`}>{words}</a>
  ) : (
    <a href={page.linkToSearch(query)} rel="nofollow">
      {words}
    </a>
  );
}

/** A place of a life, of which the town is a link, and its country. */
function placeLink(page: Page, [place, country]: readonly (string | undefined)[], towns: PageTowns['towns']) {
  if (!place) return country;
  return (
    <>
      {townLink(page, place, towns)}
      {country && `, ${country}`}
    </>
  );
}

function lifeLine(page: Page, person: RecordView, towns: PageTowns['towns']) {
  const { t } = page;
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
            {placeLink(page, place, towns)}
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
  { events, persons, subjects, related, near }: RelatedRecords['location'],
  { area, towns }: PageTowns,
): RecordParts {
  const { t } = page;
  const { city } = location;
  const address = postalAddress(location);
  return {
    trail: city ? [townLink(page, city, towns)] : [],
    line: address && <p class="line">{address}</p>,
    map: isLocated(location) && [mapOfPlaces(page, [{ location }]), coordinates(page, location)],
    sections: [
      ...(area ? [areaSection(page, area)] : []),
      eventSection(page, events, `kind:event location:${location.uuid}`),
      { id: 'persons', title: t.personsHere, children: sharedCards(page, persons) },
    ],
    aside: [
      subjectSection(page, subjects),
      { id: 'related', title: t.related, children: cards(page, related) },
      { id: 'near', title: t.near, children: cardList(near.map((place) => nearCard(page, place))) },
    ],
  };
}

/** The records in a town or country, and its events through time. */
function areaSection(page: Page, { field, counts, bars }: Area): RecordSection {
  const { t } = page;
  const found = counts.filter(({ count }) => count > 0);
  const children = found.length > 0 && (
    <>
      <ul class="counts">
        {found.map(({ kind, count, q }) => (
          <li>
            <a href={page.linkToSearch({ q })} rel="nofollow">
              <strong>{page.number(count)}</strong> {count === 1 ? t.kinds[kind].one : t.kinds[kind].many}
            </a>
          </li>
        ))}
      </ul>
      {dateBars(page, bars, counts.find(({ kind }) => kind === 'event')?.count ?? 0)}
    </>
  );
  return { id: 'area', title: t.inArea[field], children };
}

function nearCard(page: Page, { location, metres }: { location: RecordView; metres: number }) {
  const distance =
    metres < 1_000 ? `${Math.round(metres)} m` : `${page.number(Math.round(metres / 100) / 10)} km`;
  return card(page, location, { note: distance });
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

/** A day, of which the year is a search. */
const DAY = /^(\d{4})-\d{2}-\d{2}$/;

/** A link to all events of a year. */
function yearLink(page: Page, year: string) {
  const query = { q: `kind:event date:${year}..${year}`, sort: 'date' };
  return (
    <p>
      <a href={page.linkToSearch(query)} rel="nofollow">
        {page.t.eventsOf(Number(year))}
      </a>
    </p>
  );
}

/** An event: when, where and who, and what else happened there. */
function eventParts(
  page: Page,
  event: RecordView,
  { location, persons, subjects, before, after }: RelatedRecords['event'],
  { towns }: PageTowns,
): RecordParts {
  const { t } = page;
  const when = formatPeriod(event, t);
  const date = sortedDateOf(event) ?? '';
  const [, year] = DAY.exec(date) ?? [];
  const later = after.filter(sortedDateOf);
  const isAround = date !== '' && before.length + later.length > 0;
  const around = isAround ? [...before, event, ...later].map((each) => ({ event: each })) : [];
  const { city } = location ?? {};
  const below = city && towns.get(city)?.uuid !== location?.uuid && (
    <p>{townLink(page, city, towns, t.inTown(city))}</p>
  );
  const place = location && cardList([card(page, location, { attributes: onMap(location), below })]);
  return {
    line: when && <p class="line">{dateText(date, when)}</p>,
    map: location && mapOfPlaces(page, [{ location }]),
    sections: [
      { id: 'persons', title: t.kinds.person.many, children: cards(page, persons) },
      { id: 'around', title: t.around, children: timeline(page, around) },
    ],
    aside: [
      { id: 'location', title: t.where, children: place },
      { id: 'year', title: t.when, children: year && yearLink(page, year) },
      subjectSection(page, subjects),
    ],
  };
}

/** A subject: its place in the hierarchy, and its records by kind. */
function subjectParts(
  page: Page,
  subject: RecordView,
  { broader, narrower, siblings, about, below }: RelatedRecords['subject'],
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
    line: narrower.count > 0 && belowLine(page, subject, below),
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

/** The numbers of records of a subject and those below it, each a search. */
function belowLine(page: Page, { uuid }: RecordView, below: RelatedRecords['subject']['below']) {
  const { t } = page;
  const total = below.person + below.location + below.event;
  if (total === 0) return null;
  const link = (q: string, words: string) => (
    <a href={page.linkToSearch({ q })} rel="nofollow">
      {words}
    </a>
  );
  return (
    <p class="line">
      {link(`under:${uuid}`, t.recordsBelow(total))}:
      {KINDS.map((kind) => {
        const count = kind === 'subject' ? 0 : below[kind];
        const words = `${page.number(count)} ${count === 1 ? t.kinds[kind].one : t.kinds[kind].many}`;
        return count > 0 && [' ', link(`kind:${kind} under:${uuid}`, words)];
      })}
    </p>
  );
}

/** A subject in a list of those below one. */
export function withoutBroader(record: RecordView): RecordView {
  return record.branch ? { ...record, branch: { ...record.branch, broader: undefined } } : record;
}
