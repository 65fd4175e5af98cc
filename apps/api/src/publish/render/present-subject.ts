import type { Subject } from '@archiefkast/types';
import type { BundleSubject } from '../bundle/record-schemas.ts';
import type { Links } from './links.ts';
import { inLanguage } from './multilingual.ts';
import { presentFile, presentImage } from './present-file.ts';

/**
 * The wire object of a subject.
 *
 * @param parent id of the parent subject, if that is served
 */
export function presentSubject(subject: BundleSubject, parent: number | null, links: Links): Subject {
  return {
    id: subject.id,
    image: presentImage(subject.image),
    url: links.page('subject', subject.uuid),
    published: true,
    uuid: subject.uuid,
    name: inLanguage(links.language, subject.name_nl, subject.name_en),
    name_nl: subject.name_nl,
    name_en: subject.name_en,
    description: inLanguage(links.language, subject.description_nl, subject.description_en),
    description_nl: subject.description_nl,
    description_en: subject.description_en,
    summary: inLanguage(links.language, subject.summary_nl, subject.summary_en),
    summary_nl: subject.summary_nl,
    summary_en: subject.summary_en,
    same_as: subject.same_as,
    parent,
    files: subject.files.map(presentFile),
  };
}
