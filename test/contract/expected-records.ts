import { COLLECTIONS, type Kind, PAGE_SEGMENTS } from '@archiefkast/types';
import { BASE_URL } from '../support/api-server.ts';
import { externalImage, hostedImage, servedBareFile } from '../support/fixture/files.ts';
import { uuidOf } from '../support/fixture/names.ts';

type Language = 'en' | 'nl';

/** An API reference, as in the contract. */
export function ref(language: Language, kind: Kind, id: number): string {
  return `${BASE_URL}/${language}/api/${COLLECTIONS[kind]}/${uuidOf(kind, id)}`;
}

/** The address of a record's page, as in the contract. */
export function page(language: Language, kind: Kind, id: number): string {
  return `${BASE_URL}/${language}/${PAGE_SEGMENTS[kind]}/${uuidOf(kind, id)}/`;
}

/** Person 101 of the fixture, complete. */
export const person101 = (language: Language) => ({
  id: 101,
  image: hostedImage,
  pictures: [],
  url: page(language, 'person', 101),
  subjects: [ref(language, 'subject', 2), ref(language, 'subject', 1), ref(language, 'subject', 4)],
  published: true,
  uuid: uuidOf('person', 101),
  first_name: 'Christiaan',
  last_name: 'Huygens',
  infix: '',
  title: language === 'en' ? 'Christian Huygens' : 'Christiaan Huygens',
  title_nl: 'Christiaan Huygens',
  title_en: 'Christian Huygens',
  content:
    language === 'en' ? '<p>Discovered the ring of Saturn.</p>' : '<p>Ontdekte de ring van Saturnus.</p>',
  content_nl: '<p>Ontdekte de ring van Saturnus.</p>',
  content_en: '<p>Discovered the ring of Saturn.</p>',
  birth_date: '1629-04-14',
  death_date: '1695-07-08',
  gender: 'male',
  birth_place: 'Den Haag',
  birth_country: 'Nederland',
  death_place: 'Den Haag',
  death_country: 'Nederland',
  summary: language === 'en' ? 'Physicist' : 'Natuurkundige',
  summary_nl: 'Natuurkundige',
  summary_en: 'Physicist',
  same_as: null,
  files: [externalImage, servedBareFile],
});

const DESCRIPTION = {
  nl: '<p>Kennis van de natuur.<sup>1</sup></p><section class="footnotes"><ol><li>Bron</li></ol></section>',
  en: '<p>Knowledge of nature.<sup>1</sup></p><section class="footnotes"><ol><li>Source</li></ol></section>',
};

/** Subject 1 of the fixture, complete. */
export const subject1 = (language: Language) => ({
  id: 1,
  image: externalImage,
  url: page(language, 'subject', 1),
  published: true,
  uuid: uuidOf('subject', 1),
  name: language === 'en' ? 'Science' : 'Wetenschap',
  name_nl: 'Wetenschap',
  name_en: 'Science',
  description: DESCRIPTION[language],
  description_nl: DESCRIPTION.nl,
  description_en: DESCRIPTION.en,
  summary: language === 'en' ? 'On knowledge' : 'Over kennis',
  summary_nl: 'Over kennis',
  summary_en: 'On knowledge',
  same_as: ['https://thesaurus.test/science', 'http://vocabulary.test/id/42'],
  parent: null,
  files: [hostedImage, externalImage],
});

/** Event 301 of the fixture without its persons, subjects and location. */
const event301 = (language: Language) => ({
  id: 301,
  main_image: externalImage,
  files: [hostedImage, servedBareFile],
  url: page(language, 'event', 301),
  published: true,
  uuid: uuidOf('event', 301),
  name: language === 'en' ? 'The ring of Saturn' : 'De ring van Saturnus',
  name_nl: 'De ring van Saturnus',
  name_en: 'The ring of Saturn',
  content: language === 'en' ? '<p>Huygens publishes.</p>' : '<p>Huygens publiceert.</p>',
  content_nl: '<p>Huygens publiceert.</p>',
  content_en: '<p>Huygens publishes.</p>',
  date: '1659-07-01',
  date_start: '1659-07-01',
  date_end: '1659-12-31',
  summary: language === 'en' ? 'Systema Saturnium' : 'Systema Saturnium in het Nederlands',
  summary_nl: 'Systema Saturnium in het Nederlands',
  summary_en: 'Systema Saturnium',
  same_as: null,
});

/** Event 301 in the list of its location. */
export const abbreviatedEvent301 = (language: Language) => ({
  ...event301(language),
  subjects: [ref(language, 'subject', 2), ref(language, 'subject', 1)],
  persons: [ref(language, 'person', 109), ref(language, 'person', 101), ref(language, 'person', 106)],
  location: ref(language, 'location', 201),
});

/** Event 301 in the list of events: `records` are persons 109 and 106 and location 201 of their own lists. */
export const fullEvent301 = (language: Language, [p109, p106, l201]: readonly unknown[]) => ({
  ...event301(language),
  persons: [p109, person101(language), p106],
  location: l201,
});

/** Location 201 of the fixture without its events and subjects, which are full records. */
export const location201 = (language: Language) => ({
  id: 201,
  files: [servedBareFile, externalImage],
  main_image: hostedImage,
  latitude: '52.160114',
  longitude: '4.497010',
  related_locations: [
    ref(language, 'location', 203),
    ref(language, 'location', 202),
    ref(language, 'location', 201),
  ],
  url: page(language, 'location', 201),
  published: true,
  name: language === 'en' ? 'Academy building' : 'Academiegebouw',
  name_nl: 'Academiegebouw',
  name_en: 'Academy building',
  uuid: uuidOf('location', 201),
  content:
    language === 'en' ? '<p>The building of the university.</p>' : '<p>Het gebouw van de universiteit.</p>',
  content_nl: '<p>Het gebouw van de universiteit.</p>',
  content_en: '<p>The building of the university.</p>',
  position: 'SRID=4326;POINT (4.497010 52.160114)',
  summary: language === 'en' ? 'University' : 'Universiteit',
  summary_nl: 'Universiteit',
  summary_en: 'University',
  same_as: null,
  street: 'Rapenburg 73',
  zipcode: '2311 GJ',
  city: 'Leiden',
  state: 'Zuid-Holland',
  land: 'Nederland',
  location_events: [301, 303, 305],
});
