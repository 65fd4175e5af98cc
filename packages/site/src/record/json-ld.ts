import type { PageContext } from '../layout/page-context.ts';
import type { PageRecord } from './page-record.ts';
import { addressOf } from './picture.tsx';
import { nameOf, wordingOf } from './wording.ts';

/** A record as structured data (schema.org). */
export function jsonLd(page: PageContext, record: PageRecord): Record<string, unknown> {
  const { text: name } = nameOf(record, page.language);
  const { text: description } = wordingOf(record, 'summary', page.language);
  const picture = record.image ?? record.main_image;
  return withoutEmpty({
    '@context': 'https://schema.org',
    '@id': `${page.baseUrl}/${page.path}`,
    url: `${page.baseUrl}/${page.path}`,
    name,
    description,
    image: picture ? addressOf(picture) : undefined,
    ...ofKind(record),
  });
}

function ofKind(record: PageRecord): Record<string, unknown> {
  switch (record.kind) {
    case 'person':
      return {
        '@type': 'Person',
        givenName: record.first_name,
        familyName: [record.infix, record.last_name].filter(Boolean).join(' '),
        birthDate: record.birth_date,
        deathDate: record.death_date,
        birthPlace: placeNamed(record.birth_place, record.birth_country),
        deathPlace: placeNamed(record.death_place, record.death_country),
        gender: record.gender,
      };
    case 'location':
      return {
        '@type': 'Place',
        address: withoutEmpty({
          '@type': 'PostalAddress',
          streetAddress: record.street,
          postalCode: record.zipcode,
          addressLocality: record.city,
          addressRegion: record.state,
          addressCountry: record.land,
        }),
        geo:
          record.latitude && record.longitude
            ? {
                '@type': 'GeoCoordinates',
                latitude: Number(record.latitude),
                longitude: Number(record.longitude),
              }
            : undefined,
      };
    case 'event':
      return { '@type': 'Event', startDate: record.date || record.date_start, endDate: record.date_end };
    case 'subject':
      return { '@type': 'DefinedTerm', termCode: String(record.id), sameAs: record.same_as };
  }
}

function placeNamed(place: string | null | undefined, country: string | null | undefined) {
  const name = [place, country].filter(Boolean).join(', ');
  return name === '' ? undefined : { '@type': 'Place', name };
}

function withoutEmpty(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name in object) {
    const value = object[name];
    if (value !== undefined && value !== null && value !== '') kept[name] = value;
  }
  return kept;
}
