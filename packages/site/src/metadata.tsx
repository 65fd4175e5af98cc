import { type FileObject, type Kind, PAGE_SEGMENTS } from '@archiefkast/types';
import { isLocated } from './map.tsx';
import type { Page } from './page.ts';
import { hasPersonalFacts, nameOf, type PageRecord, recordPath, wordingOf } from './record.ts';

/** The records that a page shows as related, by their property (schema.org, or SKOS with its prefix). */
export type LinkedRecords = Readonly<Record<string, PageRecord | readonly PageRecord[] | undefined>>;

const CONTEXT = ['https://schema.org', { skos: 'http://www.w3.org/2004/02/skos/core#' }];

/** A record as structured data (schema.org), linked to the records that its page shows. */
export function jsonLd(page: Page, record: PageRecord, linked: LinkedRecords): Record<string, unknown> {
  const { text: description } = wordingOf(record, 'summary', page.language);
  const picture = record.image ?? record.main_image;
  return withoutEmpty({
    '@context': CONTEXT,
    ...referenceTo(page, record),
    url: `${page.baseUrl}/${page.path}`,
    description,
    image: picture ? addressOf(picture) : undefined,
    sameAs: record.same_as,
    ...ofKind(page, record),
    ...Object.fromEntries(
      Object.entries(linked).map(([property, records]) => [property, referencesTo(page, records)]),
    ),
  });
}

/** The address of a file: at the archive itself, or elsewhere. */
export function addressOf({ url, path }: FileObject): string {
  return path ?? url;
}

/** The identifier of a record as an entity: the address of its page in English, the same on the pages of all languages. */
function idOf({ baseUrl }: Page, record: { kind: Kind; uuid: string }): string {
  return `${baseUrl}/${recordPath('en', record)}`;
}

function referenceTo(page: Page, record: PageRecord) {
  return { '@type': typeOf(record), '@id': idOf(page, record), name: nameOf(record, page.language).text };
}

function referencesTo(page: Page, records: LinkedRecords[string]) {
  if (records === undefined) return undefined;
  if ('uuid' in records) return referenceTo(page, records);
  return records.length === 0 ? undefined : records.map((record) => referenceTo(page, record));
}

function typeOf(record: PageRecord): string | readonly string[] {
  switch (record.kind) {
    case 'person':
      return hasPersonalFacts(record) ? 'Person' : 'Thing';
    case 'location':
      return 'Place';
    case 'event':
      return 'Event';
    case 'subject':
      return ['DefinedTerm', 'skos:Concept'];
  }
}

function ofKind(page: Page, record: PageRecord): Record<string, unknown> {
  switch (record.kind) {
    case 'person':
      return hasPersonalFacts(record)
        ? {
            givenName: record.first_name,
            familyName: [record.infix, record.last_name].filter(Boolean).join(' '),
            birthDate: record.birth_date,
            deathDate: record.death_date,
            birthPlace: placeNamed(record.birth_place, record.birth_country),
            deathPlace: placeNamed(record.death_place, record.death_country),
            gender: record.gender,
          }
        : {};
    case 'location':
      return {
        address: withoutEmpty({
          '@type': 'PostalAddress',
          streetAddress: record.street,
          postalCode: record.zipcode,
          addressLocality: record.city,
          addressRegion: record.state,
          addressCountry: record.land,
        }),
        geo: isLocated(record) && {
          '@type': 'GeoCoordinates',
          latitude: Number(record.latitude),
          longitude: Number(record.longitude),
        },
      };
    case 'event':
      return { startDate: record.date || record.date_start, endDate: record.date_end };
    case 'subject':
      return {
        termCode: notationOf(record.same_as ?? []),
        inDefinedTermSet: {
          '@type': 'DefinedTermSet',
          '@id': `${page.baseUrl}/en/${PAGE_SEGMENTS.subject}/`,
          name: page.archiveName,
        },
      };
  }
}

/** The notation of a subject in Iconclass, from its address there: `42E` for `https://iconclass.org/42E`. */
function notationOf(addresses: readonly string[]): string | undefined {
  for (const address of addresses) {
    const [, notation] = /^https?:\/\/(?:www\.)?iconclass\.org\/(?:rkd\/)?([^/?#]+)\/?$/.exec(address) ?? [];
    if (notation !== undefined) return decodeUri(notation);
  }
  return undefined;
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function placeNamed(place: string | null | undefined, country: string | null | undefined) {
  const name = [place, country].filter(Boolean).join(', ');
  return name === '' ? undefined : { '@type': 'Place', name };
}

function withoutEmpty(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([, value]) => value !== undefined && value !== null && value !== '' && value !== false,
    ),
  );
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

/** How to cite a page: as text, and as BibTeX. With scripts, each can be copied. */
export function cite(page: Page, citation: Citation) {
  return (
    <>
      <p class="address">
        <code>{citation.address}</code> {copyButton(page)}
      </p>
      <details class="cite">
        <summary>{page.t.cite}</summary>
        <p>{citationText(page, citation)}</p>
        <div>
          <h3>BibTeX</h3>
          <pre>
            <code>{bibtex(page, citation)}</code>
          </pre>
          {copyButton(page)}
        </div>
      </details>
    </>
  );
}

/** A button that copies the code beside it; it is shown only with scripts. */
function copyButton({ t }: Page) {
  return (
    <button type="button" class="copy" data-copied={t.copied} hidden>
      {t.copy}
    </button>
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
