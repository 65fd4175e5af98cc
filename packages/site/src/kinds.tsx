import { linksOf } from '@archiefkast/formats/linked-data';
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

/** A record in the graph of an edition, and the way to those related to it. */
export interface RecordNode {
  /** Position in the list of its kind. */
  position: number;
  /** Its summary for lists. */
  record(): RecordView;
  /** The related records of a kind in the order of its list, at most `most`; `field` as in a query. */
  related(kind: Kind, field: string, most?: number): Selection;
  /** The related records of a kind in the order of the references. */
  referred(kind: Kind, field: string): RecordNode[];
}

/** The first of some records, and the number of all. */
interface Selection {
  nodes: readonly RecordNode[];
  count: number;
}

/** Limits of the lists on a page; search has the rest. */
const MOST_EVENTS = 200;
const MOST_COMPANIONS = 24;
const MOST_ABOUT = 24;
const MOST_NARROWER = 100;
/** Limit of the broader subjects. */
const DEEPEST = 20;

/** The page of a record, with its relations to others. */
export function recordPageOf(
  page: Page,
  record: RecordView,
  node: RecordNode,
  facts: RecordPageFacts,
): string {
  const links = linksOf(record.kind, (other, field) => recordsOf(node.referred(other, field)));
  return renderRecordPage(page, record, facts, PARTS[record.kind](page, record, node), links);
}

const PARTS: Readonly<Record<Kind, (page: Page, record: RecordView, node: RecordNode) => RecordParts>> = {
  person: personParts,
  subject: subjectParts,
  location: locationParts,
  event: eventParts,
};

/** A person: life dates, events by date with their places, and persons in the same events. */
function personParts(page: Page, person: RecordView, node: RecordNode): RecordParts {
  const { t } = page;
  const found = node.related('event', 'person', MOST_EVENTS);
  const events = found.nodes.map((event) => ({ event: event.record(), location: locationOf(event) }));
  const subjects = recordsOf(node.related('subject', 'person', MOST_ABOUT).nodes);
  const places = placesOf(events);
  const companions = companionsIn(found.nodes, node).map((other) =>
    card(page, other.node.record(), t.sharedEvents(other.events)),
  );
  const placeCards = places.map(({ location, events: shared }) =>
    card(page, location, t.sharedEvents(shared), onMap(location)),
  );
  return {
    line: lifeLine(page, person),
    map: mapOfPlaces(page, places),
    sections: [
      eventSection(page, events, found, `kind:event person:${person.uuid}`),
      { id: 'companions', title: t.companions, children: cardList(companions) },
    ],
    aside: [
      { id: 'places', title: t.places, children: cardList(placeCards) },
      subjectSection(page, subjects),
    ],
  };
}

/** The other persons in events, those with most events in common first. */
function companionsIn(events: readonly RecordNode[], person: RecordNode) {
  const shared = new Map<number, { node: RecordNode; events: number }>();
  for (const event of events.toSorted((a, b) => a.position - b.position)) {
    for (const node of event.referred('person', 'event')) {
      if (node.position === person.position) continue;
      shared.set(node.position, { node, events: (shared.get(node.position)?.events ?? 0) + 1 });
    }
  }
  return [...shared.values()].toSorted((a, b) => b.events - a.events).slice(0, MOST_COMPANIONS);
}

/** The location of an event. */
function locationOf(event: RecordNode): RecordView | undefined {
  return event.referred('location', 'event')[0]?.record();
}

function recordsOf(nodes: readonly RecordNode[]): RecordView[] {
  return nodes.map((node) => node.record());
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
function eventSection(page: Page, events: readonly DatedEvent[], found: Selection, q: string): RecordSection {
  const title = page.t.kinds.event.many;
  return { id: 'events', title, children: timeline(page, events), ...firstOf(found, q, 'date') };
}

/** The number of all records of a section, and the search for them if it has the first only. */
function firstOf({ nodes, count }: Selection, q: string, sort: string) {
  return { count, all: count > nodes.length && { q, sort } };
}

function subjectSection(page: Page, subjects: readonly RecordView[]): RecordSection {
  return { id: 'subjects', title: page.t.kinds.subject.many, children: cards(page, subjects) };
}

/** A location: its address, and the events there by date. */
function locationParts(page: Page, location: RecordView, node: RecordNode): RecordParts {
  const { t } = page;
  const { street, zipcode, city, state, land } = location;
  const address = [street, [zipcode, city].filter(Boolean).join(' '), state, land].filter(Boolean);
  const inCity = { q: `kind:location city:="${city?.replaceAll('"', '')}"` };
  const found = node.related('event', 'location', MOST_EVENTS);
  const events = found.nodes.map((node) => ({ event: node.record() }));
  const related = recordsOf(node.related('location', 'related', MOST_ABOUT).nodes);
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
    sections: [eventSection(page, events, found, `kind:event location:${location.uuid}`)],
    aside: [
      subjectSection(page, recordsOf(node.referred('subject', 'location'))),
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
function eventParts(page: Page, event: RecordView, node: RecordNode): RecordParts {
  const { t } = page;
  const when = formatPeriod(event, t);
  const date = event.date || event.date_start || event.date_end || '';
  const location = locationOf(node);
  const persons = recordsOf(node.referred('person', 'event'));
  const subjects = recordsOf(node.related('subject', 'event', MOST_ABOUT).nodes);
  const place = location && cardList([card(page, location, undefined, onMap(location))]);
  return {
    line: when && <p class="line">{dateText(date, when)}</p>,
    map: location && mapOfPlaces(page, [{ location }]),
    sections: [{ id: 'persons', title: t.kinds.person.many, children: cards(page, persons) }],
    aside: [{ id: 'location', title: t.where, children: place }, subjectSection(page, subjects)],
  };
}

/** A subject: its place in the hierarchy, and its records by kind. */
function subjectParts(page: Page, subject: RecordView, node: RecordNode): RecordParts {
  const { t } = page;
  const broader = ancestorsOf(node);
  const narrower = node.related('subject', 'parent', MOST_NARROWER);
  const siblings = (broader.at(-1)?.related('subject', 'parent').nodes ?? [])
    .filter(({ position }) => position !== node.position)
    .slice(0, MOST_NARROWER);
  const listBelow = (nodes: readonly RecordNode[]) => cards(page, recordsOf(nodes).map(withoutBroader));
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
    trail: broader.map((above) => recordLink(page, above.record())),
    sections: [
      {
        ...{ id: 'narrower', title: t.narrower, children: listBelow(narrower.nodes) },
        ...firstOf(narrower, `parent:${subject.uuid}`, 'name'),
      },
      ...KINDS.filter((kind) => kind !== 'subject').map((kind) => {
        const about = node.related(kind, 'subject', MOST_ABOUT);
        const all = firstOf(
          about,
          `kind:${kind} subject:${subject.uuid}`,
          kind === 'event' ? 'date' : 'name',
        );
        return { id: kind, title: t.kinds[kind].many, children: cards(page, recordsOf(about.nodes)), ...all };
      }),
    ],
    aside: [
      { id: 'siblings', title: t.siblings, children: foldedSiblings },
      { id: 'elsewhere', title: t.elsewhere, children: cardList(vocabularies) },
    ],
  };
}

/** The broader subjects, from the top of the hierarchy. */
function ancestorsOf(subject: RecordNode): RecordNode[] {
  const broader: RecordNode[] = [];
  let [parent] = subject.referred('subject', 'broader');
  while (parent && broader.length < DEEPEST) {
    broader.unshift(parent);
    [parent] = parent.referred('subject', 'broader');
  }
  return broader;
}

/** A subject in a list of those below one. */
function withoutBroader(record: RecordView): RecordView {
  return record.branch ? { ...record, branch: { narrower: record.branch.narrower } } : record;
}
