import { type Kind, type KnownDates, LANGUAGES, type Language, type Supplement } from '@archiefkast/types';
import { setTextsApart, toRenderedText } from '../../storage/marks.ts';
import { SUPPLEMENTS, type TextKind } from '../../storage/text-kinds.ts';
import type { BundleRecord } from '../bundle/record-schemas.ts';
import type { Records } from '../bundle/records.ts';
import {
  createLinks,
  type Links,
  presentAbbreviatedEvent,
  presentEvent,
  presentLocation,
  presentPerson,
  presentSubject,
} from './present.ts';

/** The rendered text of a record in one language. */
export interface RenderedText {
  language: Language;
  textKind: TextKind;
  text: string;
}

/** Records that another one embeds, in the order of their slot. */
export interface EmbeddedRecords {
  textKind: TextKind;
  kind: Kind;
  uuids: readonly string[];
}

/** A rendered record, ready to be stored. */
export interface RenderedRecord {
  texts: RenderedText[];
  embeds: EmbeddedRecords[];
}

/** Creates the function that renders the records of a bundle in every language. */
export function createRenderer(records: Records) {
  const everyLinks = LANGUAGES.map((language) => createLinks(language, records));
  const render = (
    textKind: TextKind,
    texts: readonly string[],
    present: (links: Links) => object,
  ): RenderedText[] =>
    everyLinks.map((links) => ({
      language: links.language,
      textKind,
      text: toRenderedText(present(links), texts),
    }));

  /** What the record of the API cannot say; no text if that is nothing. */
  const renderSupplement = (
    kind: Supplement['kind'],
    { id, uuid }: { id: number; uuid: string },
    dates: KnownDates,
    subjects: readonly string[] = [],
  ): RenderedText[] => {
    const more = {
      ...(Object.keys(dates).length > 0 && { dates }),
      ...(subjects.length > 0 && { subjects: [...subjects] }),
    };
    if (Object.keys(more).length === 0) return [];
    const supplement: Supplement = { kind, id, uuid, ...more };
    return render(SUPPLEMENTS[kind], [], () => supplement);
  };

  const renderers: { [K in Kind]: (record: BundleRecord[K], dates: KnownDates) => RenderedRecord } = {
    person: (person, dates) => {
      const { fields, texts } = setTextsApart(person);
      return {
        texts: [
          ...render('person', texts, (links) => presentPerson(fields, links)),
          ...renderSupplement('person', person, dates),
        ],
        embeds: [],
      };
    },
    subject: (subject) => {
      const parent = servedParent(records, subject.parent);
      const { fields, texts } = setTextsApart(subject);
      return {
        texts: render('subject', texts, (links) => presentSubject(fields, parent, links)),
        embeds: [],
      };
    },
    location: (location) => {
      const known = records.find('location', location.uuid);
      const events = (known && records.eventsAt.get(known)) ?? [];
      const eventIds = events.map(({ id }) => id);
      const { fields, texts } = setTextsApart(location);
      return {
        texts: render('location', texts, (links) => presentLocation(fields, eventIds, links)),
        embeds: [
          { textKind: 'abbreviated_event', kind: 'event', uuids: events.map(({ uuid }) => uuid) },
          { textKind: 'subject', kind: 'subject', uuids: location.subjects },
        ],
      };
    },
    event: (event, dates) => {
      const subjects = event.subjects ?? records.subjectsOf.get(event.uuid) ?? [];
      const { fields, texts } = setTextsApart(event);
      const isListed = event.location !== null && records.isServed('location', event.location);
      const served = subjects.filter((subject) => records.isServed('subject', subject));
      return {
        texts: [
          ...render('event', texts, (links) => presentEvent(fields, links)),
          ...render('abbreviated_event', texts, (links) => presentAbbreviatedEvent(fields, subjects, links)),
          ...renderSupplement('event', event, dates, isListed ? [] : served),
        ],
        embeds: [
          { textKind: 'person', kind: 'person', uuids: event.persons },
          { textKind: 'location', kind: 'location', uuids: event.location === null ? [] : [event.location] },
        ],
      };
    },
  };
  return <K extends Kind>(kind: K, record: BundleRecord[K], dates: KnownDates): RenderedRecord =>
    renderers[kind](record, dates);
}

/** The id of the parent, if it is served. */
function servedParent(records: Records, parent: number | null): number | null {
  return parent !== null && records.byId.subject.get(parent)?.position ? parent : null;
}
