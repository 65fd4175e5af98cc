import { type FileObject, type Kind, PAGE_SEGMENTS } from '@archiefkast/types';
import { isLocated } from './map.tsx';
import type { Page } from './page.ts';
import { hasPersonalFacts, nameOf, type PageRecord, recordPath, wordingOf } from './record.ts';

/** The records that a page shows as related, by their property (schema.org, or SKOS with its prefix). */
export type LinkedRecords = Readonly<Record<string, PageRecord | readonly PageRecord[] | undefined>>;

const CONTEXT = ['https://schema.org', { skos: 'http://www.w3.org/2004/02/skos/core#' }];

const TYPES: Readonly<Record<Kind, string | readonly string[]>> = {
  person: 'Person',
  location: 'Place',
  event: 'Event',
  subject: ['DefinedTerm', 'skos:Concept'],
};

/** A record as structured data (schema.org), linked to the records that its page shows. */
export function jsonLd(page: Page, record: PageRecord, linked: LinkedRecords): Record<string, unknown> {
  const picture = record.image ?? record.main_image;
  const person: Partial<PageRecord> = hasPersonalFacts(record) ? record : {};
  return withoutEmpty({
    '@context': CONTEXT,
    ...referenceTo(page, record),
    url: `${page.baseUrl}/${page.path}`,
    description: wordingOf(record, 'summary', page.language).text,
    image: picture && addressOf(picture),
    sameAs: record.same_as,
    givenName: person.first_name,
    familyName: joined(' ', person.infix, person.last_name),
    birthDate: person.birth_date,
    deathDate: person.death_date,
    birthPlace: entity('Place', { name: joined(', ', person.birth_place, person.birth_country) }),
    deathPlace: entity('Place', { name: joined(', ', person.death_place, person.death_country) }),
    gender: person.gender,
    address: entity('PostalAddress', {
      streetAddress: record.street,
      postalCode: record.zipcode,
      addressLocality: record.city,
      addressRegion: record.state,
      addressCountry: record.land,
    }),
    geo:
      isLocated(record) &&
      entity('GeoCoordinates', {
        latitude: Number(record.latitude),
        longitude: Number(record.longitude),
      }),
    startDate: record.date || record.date_start,
    endDate: record.date_end,
    ...(record.kind === 'subject' && {
      termCode: notationOf(record.same_as ?? []),
      inDefinedTermSet: entity('DefinedTermSet', {
        '@id': `${page.baseUrl}/en/${PAGE_SEGMENTS.subject}/`,
        name: page.archiveName,
      }),
    }),
    ...Object.fromEntries(
      Object.entries(linked).map(([property, records]) => [property, referencesTo(page, records)]),
    ),
  });
}

/** The address of a file: at the archive itself, or elsewhere. */
export function addressOf({ url, path }: FileObject): string {
  return path ?? url;
}

/** A record as an entity: its identifier is the address of its page in English, on the pages of all languages. */
function referenceTo(page: Page, record: PageRecord) {
  const isThing = record.kind === 'person' && !hasPersonalFacts(record);
  return {
    '@type': isThing ? 'Thing' : TYPES[record.kind],
    '@id': `${page.baseUrl}/${recordPath('en', record)}`,
    name: nameOf(record, page.language).text,
  };
}

function referencesTo(page: Page, records: LinkedRecords[string]) {
  if (records === undefined) return undefined;
  return 'uuid' in records ? referenceTo(page, records) : records.map((record) => referenceTo(page, record));
}

/** The notation of a subject in Iconclass, from its address there: `42E` for `https://iconclass.org/42E`. */
function notationOf(addresses: readonly string[]): string | undefined {
  const notations = addresses.flatMap(
    (address) => /^https?:\/\/(?:www\.)?iconclass\.org\/(?:rkd\/)?([^/?#]+)\/?$/.exec(address)?.[1] ?? [],
  );
  return notations[0] && decodeUri(notations[0]);
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function joined(separator: string, ...parts: readonly (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(separator);
}

/** A value without an identity of its own; undefined if nothing is known of it. */
function entity(type: string, properties: Readonly<Record<string, unknown>>) {
  const known = withoutEmpty(properties);
  return Object.keys(known).length === 0 ? undefined : { '@type': type, ...known };
}

function withoutEmpty(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isEmpty = (value: unknown) => (Array.isArray(value) ? value.length === 0 : !value && value !== 0);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
}

/** The data of a citation. */
export interface Citation {
  title: string;
  /** Absolute address of the page. */
  address: string;
  edition: number;
  publishedAt: Date;
  publisher: string | undefined;
}

/** How to cite a page: as text, and as BibTeX. Scripts show the buttons, which copy what is before them. */
export function cite(page: Page, citation: Citation) {
  const { t } = page;
  const copy = (words: string) => (
    <button type="button" class="copy" data-copied={t.copied} aria-live="polite" hidden>
      {words}
    </button>
  );
  return (
    <details class="cite">
      <summary>{t.cite}</summary>
      <p>{citationText(page, citation)}</p>
      {copy(t.copyCitation)}
      <pre>{bibtex(page, citation)}</pre>
      {copy(t.copyBibtex)}
    </details>
  );
}

/** The metadata from which reference managers such as Zotero make a citation, in their own formats (Highwire Press tags). */
export function citationMetadata(page: Page, { title, address, publishedAt, publisher }: Citation) {
  const tags = {
    citation_title: title,
    citation_public_url: address,
    citation_publication_date: dayOf(publishedAt).replaceAll('-', '/'),
    citation_publisher: publisher ?? page.archiveName,
    citation_language: page.language,
  };
  return Object.entries(tags).map(([name, content]) => content && <meta name={name} content={content} />);
}

function citationText(page: Page, { title, address, edition, publishedAt, publisher }: Citation): string {
  const archive = page.archiveName ? `${page.archiveName}, ` : '';
  const by = publisher && publisher !== page.archiveName ? `${publisher}, ` : '';
  return `“${title}”, ${archive}${by}${page.t.edition} ${edition} (${dayOf(publishedAt)}), ${address}.`;
}

function bibtex(page: Page, { title, address, edition, publishedAt, publisher }: Citation): string {
  const key = address.split('/').at(-2)?.slice(0, 8);
  const fields = {
    title: `{${escapeBibtex(title)}}`,
    organization: publisher && escapeBibtex(publisher),
    howpublished: page.archiveName && escapeBibtex(page.archiveName),
    year: String(publishedAt.getUTCFullYear()),
    url: address,
    note: `${page.t.edition} ${edition}, ${dayOf(publishedAt)}`,
  };
  const lines = Object.entries(fields).map(([name, value]) => (value ? `  ${name} = {${value}},\n` : ''));
  return `@misc{${key},\n${lines.join('')}}`;
}

function escapeBibtex(text: string): string {
  return text.replace(/[{}\\]/g, '').replace(/[&%$#_]/g, '\\$&');
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
