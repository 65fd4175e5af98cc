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
  title?: Bilingual | undefined;
  description?: Bilingual | undefined;
  publisher?: Bilingual | undefined;
  creator?: Bilingual | undefined;
  /** The publisher: its address on the web, which names it, its codes and where it is. */
  organisation?: Texts<'url' | 'isil' | 'kvk' | 'street' | 'zipcode' | 'city' | 'country'> | undefined;
  contact?: Bilingual | undefined;
  email?: string | undefined;
  /** Mailboxes for corrections of records, and for those who want one removed. */
  corrections?: string | undefined;
  removal?: string | undefined;
  /** Addresses of its policy on lasting addresses, and of its accessibility statement. */
  policy?: Bilingual | undefined;
  accessibility?: Bilingual | undefined;
  /** Its content note. */
  note?: Bilingual | undefined;
  /** Whether text mining and training of models are allowed: yes or no. */
  reuse?: Texts<'mining' | 'training'> | undefined;
  licence?: { url: string } | undefined;
  homepage?: string | undefined;
  created?: string | undefined;
  /** The topics of the whole, as addresses of a thesaurus. */
  about?: readonly string[] | undefined;
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
  /** Base of the addresses of its forms. */
  baseUrl: string;
  /** Base of the address that names it; another one for copies. */
  identity: string;
  /** Base of the address that names the dataset of which it is derived. */
  derivedFrom?: string | undefined;
  archive: DatasetArchive;
  edition: { id: number; publishedAt: Date; total: number };
  distributions: readonly Distribution[];
}

/** The name of an archive that has none. */
const UNTITLED: Bilingual = { nl: 'Archief', en: 'Archive' };

/** Describes the archive by schema.org, as the dataset register of the Network Digital Heritage asks. */
export function datasetOf({
  baseUrl,
  identity,
  derivedFrom,
  archive,
  edition,
  distributions,
}: DatasetFacts): LinkedNode {
  const { title = UNTITLED, organisation = {}, coverage = {} } = archive;
  const address = `${identity}/dataset`;
  const day = { '@value': edition.publishedAt.toISOString().slice(0, 10), '@type': 'xsd:date' };
  const names = archive.publisher ?? title;
  const contactPoint =
    archive.email &&
    entity('ContactPoint', { name: inBoth(archive.contact ?? names), email: literal(archive.email) });
  const pointFor = (purpose: 'corrections' | 'removal') =>
    archive[purpose] &&
    entity('ContactPoint', {
      name: inBoth(archive.contact ?? names),
      contactType: literal(purpose),
      email: literal(archive[purpose]),
    });
  const points = [contactPoint, pointFor('corrections'), pointFor('removal')].filter((point) => point);
  const addressesOf = (words: Bilingual | undefined) =>
    words && [...new Set([words.nl, words.en])].flatMap((each) => addressOf(each) ?? []);
  const publisher = withoutEmpty({
    ...iri(publisherOf(identity, archive)),
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
    contactPoint: points.length > 1 ? points : points[0],
  });
  const { '@id': by, '@type': organization, name } = publisher;
  const creator = archive.creator
    ? { '@id': `${address}#creator`, name: inBoth(archive.creator), contactPoint }
    : { '@id': by, name };
  return withoutEmpty({
    '@id': address,
    '@type': 'Dataset',
    name: inBoth(title),
    description: inBoth(descriptionOf(title, archive.description, edition.total)),
    url: iri(`${baseUrl}/dataset`),
    'prov:wasDerivedFrom': derivedFrom && iri(`${derivedFrom}/dataset`),
    publisher,
    creator: withoutEmpty({ '@type': organization, ...creator }),
    license: addressOf(archive.licence?.url),
    publishingPrinciples: addressesOf(archive.policy),
    subjectOf: addressesOf(archive.accessibility),
    conditionsOfAccess: reuseSentence(archive.reuse).nl ? inBoth(reuseSentence(archive.reuse)) : undefined,
    'skos:note': inBoth(archive.note),
    dateCreated: archive.created && dateOf(archive.created),
    datePublished: day,
    dateModified: day,
    version: literal(String(edition.id)),
    inLanguage: [literal('nl'), literal('en')],
    about: archive.about?.flatMap((topic) => addressOf(topic) ?? []),
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

const REUSES = {
  mining: { nl: 'Tekst- en datamining', en: 'Text and data mining' },
  training: { nl: 'Training van modellen', en: 'Training of models' },
} as const;
const ANSWERS = {
  yes: { nl: 'toegestaan', en: 'allowed' },
  no: { nl: 'niet toegestaan', en: 'not allowed' },
} as const;

/** What an archive says of text mining and of training of models, as a sentence; empty if it says nothing. */
export function reuseSentence(reuse: DatasetArchive['reuse']): Bilingual {
  const said = (['mining', 'training'] as const).flatMap((use) => {
    const answer = reuse?.[use];
    return answer === 'yes' || answer === 'no' ? [[REUSES[use], ANSWERS[answer]] as const] : [];
  });
  const inLanguage = (language: Language) =>
    said.map(([use, answer]) => `${use[language]}: ${answer[language]}.`).join(' ');
  return { nl: inLanguage('nl'), en: inLanguage('en') };
}

/**
 * The description of the archive, with 50 to 5,000 characters, which search engines require of a dataset
 * (developers.google.com, Dataset): a short one is followed by what the archive has.
 */
function descriptionOf(title: Bilingual, description: Bilingual = title, total: number): Bilingual {
  const has = {
    nl: `Het archief heeft ${total} records van personen, onderwerpen, locaties en gebeurtenissen.`,
    en: `The archive has ${total} records of persons, subjects, locations and events.`,
  };
  const within = (text: string, more: string) => {
    const whole = text.length < 50 ? `${text.replace(/[.!?]?$/, '.')} ${more}` : text;
    return whole.length > 5_000 ? `${whole.slice(0, 4_999)}…` : whole;
  };
  return { nl: within(description.nl, has.nl), en: within(description.en, has.en) };
}

/** The IRI of the publisher of the archive: its address on the web, or one below that of the dataset. */
export function publisherOf(
  identity: string,
  archive: Pick<DatasetArchive, 'organisation'> | undefined,
): string {
  return addressOf(archive?.organisation?.url)?.['@id'] ?? `${identity}/dataset#publisher`;
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
