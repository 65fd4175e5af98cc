import type { Language } from '@archiefkast/types';
import {
  addressOf,
  dateOf,
  entity,
  inBoth,
  iri,
  type LinkedNode,
  literal,
  withoutEmpty,
} from './linked-data.ts';

type Bilingual = Readonly<Record<Language, string>>;

type Texts<Name extends string> = Readonly<Partial<Record<Name, string | undefined>>>;

/** What `archive.json` says of the archive as a dataset. */
export type DatasetArchive = {
  title: Bilingual;
  description?: Bilingual | undefined;
  publisher?: Bilingual | undefined;
  creator?: Bilingual | undefined;
  /** The publisher: its address on the web, which names it, its codes and where it is. */
  organisation?: Texts<'url' | 'isil' | 'kvk' | 'street' | 'zipcode' | 'city' | 'country'> | undefined;
  contact?: Bilingual | undefined;
  email?: string | undefined;
  licence?: { url: string } | undefined;
  homepage?: string | undefined;
  created?: string | undefined;
  /** The area, as an address of a thesaurus, and the period (ISO 8601) that the records are about. */
  coverage?: Texts<'place' | 'period'> | undefined;
};

/** A form in which the archive can be had. */
export interface Distribution {
  /** Path below the base URL. */
  path: string;
  encodingFormat: string;
  words: Bilingual;
  /** Address of the protocol of a service. */
  protocol?: string;
}

export interface DatasetFacts {
  baseUrl: string;
  archive: DatasetArchive;
  edition: { id: number; publishedAt: Date; total: number };
  distributions: readonly Distribution[];
}

/** Describes the archive by schema.org, as the dataset register of the Network Digital Heritage asks. */
export function datasetOf({ baseUrl, archive, edition, distributions }: DatasetFacts): LinkedNode {
  const { organisation = {}, coverage = {} } = archive;
  const address = `${baseUrl}/dataset`;
  const day = { '@value': edition.publishedAt.toISOString().slice(0, 10), '@type': 'xsd:date' };
  const names = archive.publisher ?? archive.title;
  const contactPoint =
    archive.email &&
    entity('ContactPoint', { name: inBoth(archive.contact ?? names), email: literal(archive.email) });
  const publisher = withoutEmpty({
    ...iri(publisherOf(baseUrl, archive)),
    '@type': 'Organization',
    name: inBoth(names),
    url: addressOf(archive.homepage),
    address: entity('PostalAddress', {
      streetAddress: literal(organisation.street),
      postalCode: literal(organisation.zipcode),
      addressLocality: literal(organisation.city),
      addressCountry: literal(organisation.country),
    }),
    identifier: CODES.flatMap(({ code, property }) => {
      const value = organisation[code];
      return value ? { '@type': 'PropertyValue', propertyID: iri(property), value: literal(value) } : [];
    }),
    contactPoint,
  });
  const { '@id': by, '@type': organization, name } = publisher;
  const creator = archive.creator
    ? { '@id': `${address}#creator`, name: inBoth(archive.creator), contactPoint }
    : { '@id': by, name };
  return withoutEmpty({
    '@id': address,
    '@type': 'Dataset',
    name: inBoth(archive.title),
    description: inBoth(archive.description),
    url: iri(address),
    publisher,
    creator: withoutEmpty({ '@type': organization, ...creator }),
    license: addressOf(archive.licence?.url),
    dateCreated: archive.created && dateOf(archive.created),
    datePublished: day,
    dateModified: day,
    version: literal(String(edition.id)),
    inLanguage: [literal('nl'), literal('en')],
    spatialCoverage: addressOf(coverage.place),
    temporalCoverage: literal(coverage.period),
    size: inBoth({ nl: `${edition.total} records`, en: `${edition.total} records` }),
    distribution: distributions.map(({ path, encodingFormat, words, protocol }) =>
      withoutEmpty({
        '@type': 'DataDownload',
        contentUrl: iri(`${baseUrl}/${path}`),
        encodingFormat: literal(encodingFormat),
        description: inBoth(words),
        license: addressOf(archive.licence?.url),
        usageInfo: protocol && iri(protocol),
      }),
    ),
  });
}

/** The IRI of the publisher of the archive: its address on the web, or one below that of the dataset. */
export function publisherOf(
  baseUrl: string,
  archive: Pick<DatasetArchive, 'organisation'> | undefined,
): string {
  return addressOf(archive?.organisation?.url)?.['@id'] ?? `${baseUrl}/dataset#publisher`;
}

/** The codes of institutions, and the property that each is a value of. */
const CODES = [
  { code: 'isil', property: 'http://www.wikidata.org/entity/P791' },
  { code: 'kvk', property: 'http://www.wikidata.org/entity/P3220' },
] as const;

/** What the register asks for and `archive.json` does not say: names of fields. */
export function missingInRegister(archive: DatasetArchive | undefined): string[] {
  const { description, publisher, licence, email, organisation, created, coverage } = archive ?? {};
  const isOpen =
    /^https:\/\/creativecommons\.org\/(?:licenses\/[a-z-]+\/4\.0|publicdomain\/(?:zero|mark)\/1\.0)\/$/;
  const asked = {
    description,
    publisher,
    'licence (of Creative Commons)': licence && isOpen.test(licence.url),
    'contact and email': email,
    'organisation.isil or organisation.kvk': organisation?.isil ?? organisation?.kvk,
    created,
    'coverage.place': coverage?.place,
    'coverage.period': coverage?.period,
  };
  return Object.entries(asked).flatMap(([field, value]) => (value ? [] : field));
}
