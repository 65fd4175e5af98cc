import { type Kind, LANGUAGES, type Language } from '@archiefkast/types';
import { setTextsApart, toRenderedText } from '../../storage/marks.ts';
import type { TextKind } from '../../storage/stored-texts.ts';
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

  const renderers: { [K in Kind]: (record: BundleRecord[K]) => RenderedRecord } = {
    person: (person) => {
      const { fields, texts } = setTextsApart(person);
      return { texts: render('person', texts, (links) => presentPerson(fields, links)), embeds: [] };
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
    event: (event) => {
      const subjects = event.subjects ?? bundle.eventSubjects.get(event.uuid) ?? [];
      const { fields, texts } = setTextsApart(event);
      return {
        texts: [
          ...render('event', texts, (links) => presentEvent(fields, links)),
          ...render('abbreviated_event', texts, (links) => presentAbbreviatedEvent(fields, subjects, links)),
        ],
        embeds: [
          { textKind: 'person', kind: 'person', uuids: event.persons },
          { textKind: 'location', kind: 'location', uuids: event.location === null ? [] : [event.location] },
        ],
      };
    },
  };
  return <K extends Kind>(kind: K, record: BundleRecord[K]): RenderedRecord => renderers[kind](record);
}

/** The id of the parent, if it is published. */
function servedParent({ index }: CheckedBundle, parent: number | null): number | null {
  const place = parent === null ? undefined : index.kinds.subject.byId.get(parent);
  return place !== undefined && index.kinds.subject.published[place] ? parent : null;
}
