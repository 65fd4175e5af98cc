import { type Kind, type KnownDates, LANGUAGES, type Language, type Supplement } from '@archiefkast/types';
import { setTextsApart, toRenderedText } from '../../storage/marks.ts';
import { SUPPLEMENTS, type TextKind } from '../../storage/stored-texts.ts';
import type { CheckedBundle } from '../bundle/check-bundle.ts';
import type { BundleRecord } from '../bundle/record-schemas.ts';
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

/** Creates the function that renders the records of a checked bundle in every language. */
export function createRenderer(bundle: CheckedBundle) {
  const everyLinks = LANGUAGES.map((language) => createLinks(language, bundle.index));
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
      const parent = servedParent(bundle, subject.parent);
      const { fields, texts } = setTextsApart(subject);
      return {
        texts: render('subject', texts, (links) => presentSubject(fields, parent, links)),
        embeds: [],
      };
    },
    location: (location) => {
      const events = bundle.eventsAt(location.uuid);
      const { fields, texts } = setTextsApart(location);
      return {
        texts: render('location', texts, (links) => presentLocation(fields, events.ids, links)),
        embeds: [
          { textKind: 'abbreviated_event', kind: 'event', uuids: events.uuids },
          { textKind: 'subject', kind: 'subject', uuids: location.subjects },
        ],
      };
    },
    event: (event, dates) => {
      const subjects = event.subjects ?? bundle.subjectsOf(event.uuid);
      const { fields, texts } = setTextsApart(event);
      const isServed = (kind: Kind) => (uuid: string) => bundle.index.position(kind, uuid) !== 0;
      const isListed = event.location !== null && isServed('location')(event.location);
      return {
        texts: [
          ...render('event', texts, (links) => presentEvent(fields, links)),
          ...render('abbreviated_event', texts, (links) => presentAbbreviatedEvent(fields, subjects, links)),
          ...renderSupplement('event', event, dates, isListed ? [] : subjects.filter(isServed('subject'))),
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

/** The id of the parent, if it is published. */
function servedParent({ index }: CheckedBundle, parent: number | null): number | null {
  const place = parent === null ? undefined : index.kinds.subject.byId.get(parent);
  return place !== undefined && index.kinds.subject.positions[place] !== 0 ? parent : null;
}
