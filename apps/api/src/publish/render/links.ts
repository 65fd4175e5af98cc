import { apiReference, type Kind, type Language, recordPage } from '@archiefkast/types';
import { BASE_URL_MARK } from '../../storage/marks.ts';
import type { RecordIndex } from '../bundle/record-index.ts';

/** Builds the links of records in one language; the base URL is left open. Unpublished records get none. */
export interface Links {
  language: Language;
  page(kind: Kind, uuid: string): string;
  reference(kind: Kind, uuid: string | null): string | null;
  references(kind: Kind, uuids: readonly string[]): string[];
}

/** Links in `language` to the records of a bundle. */
export function createLinks(language: Language, index: RecordIndex): Links {
  const to = (kind: Kind, uuid: string) => apiReference(BASE_URL_MARK, language, kind, uuid);
  const isServed = (kind: Kind, uuid: string) => index.position(kind, uuid) !== 0;
  return {
    language,
    page: (kind, uuid) => recordPage(BASE_URL_MARK, language, kind, uuid),
    reference: (kind, uuid) => (uuid !== null && isServed(kind, uuid) ? to(kind, uuid) : null),
    references: (kind, uuids) => uuids.filter((uuid) => isServed(kind, uuid)).map((uuid) => to(kind, uuid)),
  };
}
