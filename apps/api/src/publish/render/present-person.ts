import type { Person } from '@archiefkast/types';
import type { BundlePerson } from '../bundle/record-schemas.ts';
import type { Links } from './links.ts';
import { inLanguage } from './multilingual.ts';
import { presentFile, presentImage } from './present-file.ts';

/** The wire object of a person. */
export function presentPerson(person: BundlePerson, links: Links): Person {
  return {
    id: person.id,
    image: presentImage(person.image),
    pictures: person.pictures,
    url: links.page('person', person.uuid),
    subjects: links.references('subject', person.subjects),
    published: true,
    uuid: person.uuid,
    first_name: person.first_name,
    last_name: person.last_name,
    infix: person.infix,
    title: inLanguage(links.language, person.title_nl, person.title_en),
    title_nl: person.title_nl,
    title_en: person.title_en,
    content: inLanguage(links.language, person.content_nl, person.content_en),
    content_nl: person.content_nl,
    content_en: person.content_en,
    birth_date: person.birth_date,
    death_date: person.death_date,
    gender: person.gender,
    birth_place: person.birth_place,
    birth_country: person.birth_country,
    death_place: person.death_place,
    death_country: person.death_country,
    summary: inLanguage(links.language, person.summary_nl, person.summary_en),
    summary_nl: person.summary_nl,
    summary_en: person.summary_en,
    same_as: null,
    files: person.files.map(presentFile),
  };
}
