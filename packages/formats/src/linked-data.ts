import {
  type Kind,
  LANGUAGES,
  type Language,
  PAGE_SEGMENTS,
  type PictureSize,
  recordPage,
} from '@archiefkast/types';
import { type Fields, hasPersonalFacts, isObject, partsOfDate } from '@archiefkast/types/internal';
import { DataFactory, type Quad_Object, type Quad_Subject, Writer } from 'n3';

/** A record as the graph describes it: the fields of the API in both languages, with dates as they are known (EDTF). */
export interface LinkedRecord {
  kind: Kind;
  uuid: string;
  /** Of its pictures whose size is known: those that its IIIF manifest has. */
  sizes?: readonly PictureSize[] | undefined;
  /** Its content notes, those of its subjects and of the archive among them. */
  notes?: readonly Readonly<Record<Language, string>>[] | undefined;
}

/** The records that a record refers to, by property. */
export type Links = Readonly<Record<string, readonly LinkedRecord[]>>;

/**
 * The records that a record refers to, by property of its linked data.
 *
 * @param referred the records of a kind that a field of `q` relates to the record, in the order of its references
 */
export function linksOf(
  kind: Kind,
  referred: (other: Kind, field: string) => readonly LinkedRecord[],
): Links {
  switch (kind) {
    case 'person':
      return { knowsAbout: referred('subject', 'person') };
    case 'subject':
      return { 'skos:broader': referred('subject', 'broader') };
    case 'location':
      return { about: referred('subject', 'location'), 'skos:related': referred('location', 'related') };
    case 'event':
      return {
        location: referred('location', 'event'),
        attendee: referred('person', 'event'),
        about: referred('subject', 'event'),
      };
  }
}

export interface LinkedArchive {
  /** Base of the addresses at which records are shown. */
  baseUrl: string;
  /** Base of the addresses that name records and the archive; another one for copies. */
  identity: string;
  /** Base of the addresses that name the records of which these are derived. */
  derivedFrom?: string | undefined;
  /** Address of the licence of its pictures and texts. */
  licence?: string | undefined;
  /** The path of the IIIF manifest of a record, if there are manifests. */
  manifestPath?: ((uuid: string) => string) | undefined;
  /** Whether the records to which one refers are described beside it, so that it need not name them. */
  isWhole?: boolean;
}

/** A node of a graph as JSON-LD: every value is an object that says what it is, or a list of these. */
export interface LinkedNode {
  '@id'?: string;
  '@type'?: string | readonly string[];
  [property: string]: LinkedValue | string | readonly string[] | undefined;
}

type Literal = { '@value': string; '@language'?: string; '@type'?: string };
type LinkedValue = Literal | LinkedNode | readonly (Literal | LinkedNode)[];

/** The context of the IIIF Presentation API 3. */
export const IIIF_CONTEXT = 'http://iiif.io/api/presentation/3/context.json';

const SCHEMA = 'https://schema.org/';
const PREFIXES: Readonly<Record<string, string>> = {
  prov: 'http://www.w3.org/ns/prov#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
};

/** The context of the graphs: names without a prefix are of schema.org. */
export const LINKED_CONTEXT = { '@vocab': SCHEMA, ...PREFIXES };

const TYPES: Readonly<Record<Kind, string | readonly string[]>> = {
  person: 'Person',
  location: 'Place',
  event: 'Event',
  subject: ['DefinedTerm', 'skos:Concept'],
};

/** The address that names a record, in every language and edition. */
export function identityOf(identity: string, uuid: string): string {
  return `${identity}/id/${uuid}`;
}

/**
 * Describes a record by schema.org, in both languages, after the application profile of the Network Digital Heritage
 * (SCHEMA-AP-NDE). A person without facts that only people have is a `Thing`: archives keep institutions as persons.
 */
export function graphOf(record: LinkedRecord, links: Links, archive: LinkedArchive): LinkedNode {
  const { baseUrl, identity, derivedFrom } = archive;
  const { kind, uuid } = record;
  const fields: Fields = { ...record };
  const text = (field: string) => textOf(fields[field]);
  return withoutEmpty({
    ...referenceTo(record, identity, links),
    url: LANGUAGES.map((language) => iri(recordPage(baseUrl, language, kind, uuid))),
    isPartOf: iri(`${identity}/dataset`),
    'prov:wasDerivedFrom': derivedFrom && iri(identityOf(derivedFrom, uuid)),
    description: inLanguages(fields, 'summary'),
    'skos:note': record.notes?.flatMap(inBoth),
    image: imageOf(fields['image'] ?? fields['main_image'], archive),
    associatedMedia: record.sizes && manifestIn(archive, uuid),
    sameAs: addressesIn(fields['same_as']),
    ...(kind === 'person' && hasPersonalFacts(record) && personOf(text)),
    ...(kind === 'location' && placeOf(text)),
    ...(kind === 'event' && {
      startDate: firstDayOf(fields),
      endDate: dateOf(text('date_end')),
    }),
    ...(kind === 'subject' && {
      termCode: literal(notationOf(fields['same_as'])),
      inDefinedTermSet: { '@id': `${identity}/en/${PAGE_SEGMENTS.subject}/`, '@type': 'DefinedTermSet' },
    }),
    ...Object.fromEntries(
      Object.entries(links).map(([property, records]) => [
        property,
        records.map((linked) =>
          archive.isWhole ? iri(identityOf(identity, linked.uuid)) : referenceTo(linked, identity),
        ),
      ]),
    ),
  });
}

function referenceTo(record: LinkedRecord, identity: string, { location = [] }: Links = {}): LinkedNode {
  const { kind, uuid } = record;
  const fields: Fields = { ...record };
  const names = inLanguages(fields, kind === 'person' ? 'title' : 'name');
  // Search engines report an event without its first day or its location as invalid.
  const isWhole = kind !== 'event' || (firstDayOf(fields) !== undefined && location.length > 0);
  const isThing = kind === 'person' ? !hasPersonalFacts(record) : !isWhole;
  return {
    '@id': identityOf(identity, uuid),
    '@type': isThing ? 'Thing' : TYPES[kind],
    ...(isThing && kind === 'event' && { additionalType: iri(`${SCHEMA}Event`) }),
    name: names.length > 0 ? names : [{ '@value': `${uuid.slice(0, 8)}…`, '@language': 'nl' }],
  };
}

/** The first day of an event; undefined if it is not known. */
function firstDayOf(fields: Fields) {
  return dateOf(textOf(fields['date']) || textOf(fields['date_start']));
}

function personOf(text: (field: string) => string) {
  const place = (name: string, country: string) =>
    name || country
      ? entity('Place', {
          name: [{ '@value': [name, country].filter(Boolean).join(', '), '@language': 'nl' }],
          address: entity('PostalAddress', {
            addressLocality: literal(name),
            addressCountry: literal(country),
          }),
        })
      : undefined;
  return {
    givenName: literal(text('first_name')),
    familyName: literal([text('infix'), text('last_name')].filter(Boolean).join(' ')),
    gender: literal(text('gender')),
    birthDate: dateOf(text('birth_date')),
    deathDate: dateOf(text('death_date')),
    birthPlace: place(text('birth_place'), text('birth_country')),
    deathPlace: place(text('death_place'), text('death_country')),
  };
}

function placeOf(text: (field: string) => string) {
  const [latitude, longitude] = [degrees(text('latitude')), degrees(text('longitude'))];
  return {
    address: entity('PostalAddress', {
      streetAddress: literal(text('street')),
      postalCode: literal(text('zipcode')),
      addressLocality: literal(text('city')),
      addressRegion: literal(text('state')),
      addressCountry: literal(text('land')),
    }),
    geo: latitude && longitude && entity('GeoCoordinates', { latitude, longitude }),
  };
}

/** The IIIF manifest of a record, as SCHEMA-AP-NDE has it. */
function manifestIn({ baseUrl, manifestPath, licence }: LinkedArchive, uuid: string): LinkedNode | undefined {
  if (!manifestPath) return undefined;
  return withoutEmpty({
    ...iri(baseUrl + manifestPath(uuid)),
    encodingFormat: literal(`application/ld+json;profile='${IIIF_CONTEXT}'`),
    license: addressOf(licence),
  });
}

/** A picture, with its address, its small form and its licence. */
function imageOf(image: unknown, { licence }: LinkedArchive): LinkedNode | undefined {
  if (!isObject(image)) return undefined;
  const address = addressOf(textOf(image['path']) || textOf(image['url']));
  if (!address) return undefined;
  const dutch = (field: string) => {
    const value = textOf(image[field]);
    return value && { '@value': value, '@language': 'nl' };
  };
  return withoutEmpty({
    '@type': 'ImageObject',
    contentUrl: address,
    thumbnailUrl: address,
    license: addressOf(licence),
    caption: dutch('title'),
    creditText: dutch('alt'),
    copyrightNotice: dutch('copyright') || dutch('author'),
  });
}

/**
 * A date as far as it is known, and as XML Schema can say it; undefined if its year is not known. Of 29 February in a year that is a
 * leap year of the Julian calendar alone, that is the month.
 */
export function dateOf(edtf: string): Literal | undefined {
  const parts = partsOfDate(edtf);
  if (!parts || parts.year.includes('X')) return undefined;
  const { year, month, day } = parts;
  const isJulian = day === '29' && month === '02' && Number(year) % 100 === 0 && Number(year) % 400 !== 0;
  const known = [year, month, isJulian ? undefined : day].filter((part) => part !== undefined);
  return {
    '@value': known.join('-'),
    '@type': ['xsd:gYear', 'xsd:gYearMonth', 'xsd:date'][known.length - 1] ?? '',
  };
}

const DEGREES = /^[+-]?\d{1,3}(?:\.\d+)?$/;

function degrees(text: string): Literal | undefined {
  return DEGREES.test(text) ? { '@value': text, '@type': 'xsd:decimal' } : undefined;
}

const DUTCH_FIRST = ['nl', 'en'] as const;

/** A text in both languages; nothing if there is none. */
export function inBoth(words: Readonly<Record<'nl' | 'en', string>> | undefined): Literal[] {
  return words
    ? DUTCH_FIRST.map((language) => ({ '@value': textOf(words[language]), '@language': language }))
    : [];
}

function inLanguages(fields: Fields, field: string): Literal[] {
  return DUTCH_FIRST.flatMap((language) => {
    const value = textOf(fields[`${field}_${language}`]).trim();
    return value === '' ? [] : [{ '@value': value, '@language': language }];
  });
}

/** A text as a value; undefined if it is empty. */
export function literal(text: string | undefined): Literal | undefined {
  return text ? { '@value': textOf(text) } : undefined;
}

/** A resource by its address. */
export function iri(address: string): LinkedNode {
  return { '@id': address };
}

/** What an IRI cannot contain in Turtle and N-Triples (RDF 1.1, IRIREF), and an address of the web can. */
const NOT_IN_IRI = /[^!#-;=?-[\]_a-z~\u0080-\u{10ffff}]/gu;

/** An address of the web as an IRI that every form of linked data can contain; undefined if it is none. */
export function addressOf(address: string | undefined): LinkedNode | undefined {
  const url = address && /^https?:/i.test(address) ? URL.parse(address) : undefined;
  return url ? iri(url.href.replace(NOT_IN_IRI, (character) => encodeURIComponent(character))) : undefined;
}

function addressesIn(value: unknown): LinkedNode[] {
  const addresses = (Array.isArray(value) ? value : []).map((each) => addressOf(textOf(each)));
  return addresses.filter((address) => address !== undefined);
}

/** The notation of a subject in Iconclass, from its address there: `42E` for `https://iconclass.org/42E`. */
function notationOf(addresses: unknown): string | undefined {
  for (const { '@id': address = '' } of addressesIn(addresses)) {
    const notation = /^https?:\/\/(?:www\.)?iconclass\.org\/(?:rkd\/)?([^/?#]+)\/?$/.exec(address)?.[1];
    if (notation === undefined) continue;
    try {
      return decodeURIComponent(notation);
    } catch {
      return notation;
    }
  }
  return undefined;
}

/** A node without an identity of its own; undefined if nothing is known of it. */
export function entity(type: string, properties: Fields): LinkedNode | undefined {
  const known = withoutEmpty(properties);
  return Object.keys(known).length === 0 ? undefined : { '@type': type, ...known };
}

/** A node without the properties that have no value. */
export function withoutEmpty(node: Fields): LinkedNode {
  const isEmpty = (value: unknown) => !value || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(node).filter(([, value]) => !isEmpty(value))) as LinkedNode;
}

/** A text without noncharacters, which readers of Turtle and N-Triples refuse; `""` for any other value. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll(/\p{Noncharacter_Code_Point}/gu, '') : '';
}

/** The forms in which a graph is written, by the ending of their names. */
export const LINKED_FORMS = {
  jsonld: {
    contentType: 'application/ld+json',
    write: (graph: LinkedNode) => JSON.stringify({ '@context': LINKED_CONTEXT, ...graph }),
  },
  ttl: {
    contentType: 'text/turtle; charset=utf-8',
    write: (graph: LinkedNode) => writeQuads(graph, 'Turtle'),
  },
  nt: { contentType: 'application/n-triples', write: (graph: LinkedNode) => writeQuads(graph, 'N-Triples') },
} as const;

function writeQuads(graph: LinkedNode, format: 'Turtle' | 'N-Triples'): string {
  const writer = new Writer({
    format,
    ...(format === 'Turtle' && { prefixes: { schema: SCHEMA, ...PREFIXES } }),
  });
  const label = String(graph['@id']).replace(/^.*\/|[^\w]/g, '');
  let unnamed = 0;
  const blank = () => {
    unnamed += 1;
    return DataFactory.blankNode(`${label}_${unnamed}`);
  };
  addNode(graph, writer, blank);
  let written = '';
  writer.end((error, result: string) => {
    if (error) throw error;
    written = result;
  });
  return written;
}

/** Adds the triples of a node. @param blank makes a node without an address @returns what refers to it */
function addNode(node: LinkedNode, writer: Writer, blank: () => Quad_Subject): Quad_Subject {
  const { '@id': id, '@type': type = [], ...properties } = node;
  const subject = id === undefined ? blank() : DataFactory.namedNode(id);
  for (const each of [type].flat()) {
    writer.addQuad(subject, RDF_TYPE, named(each));
  }
  for (const [property, value] of Object.entries(properties)) {
    const predicate = named(property);
    for (const each of [value].flat() as (Literal | LinkedNode)[]) {
      writer.addQuad(subject, predicate, isLiteral(each) ? literalOf(each) : addNode(each, writer, blank));
    }
  }
  return subject;
}

const RDF_TYPE = DataFactory.namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');

function isLiteral(value: Literal | LinkedNode): value is Literal {
  return '@value' in value;
}

function literalOf({ '@value': value, '@language': language, '@type': type }: Literal): Quad_Object {
  return DataFactory.literal(value, language ?? (type && named(type)));
}

/** The resource that a name of the context means. */
function named(name: string) {
  const [prefix = '', local = name] = name.split(':');
  return DataFactory.namedNode((PREFIXES[prefix] ?? SCHEMA) + local);
}
