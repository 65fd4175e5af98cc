import { COLLECTIONS, KIND_NAMES, type Kind, LANGUAGES } from '@archiefkast/types';
import XmlBuilder from 'fast-xml-builder';
import { LEFT_OUT_OF_XML } from './escape.ts';
import type { LinkedNode } from './linked-data.ts';

/** Content of an element: a text, or attributes (`@name`), text (`#`) and elements by name; a list for several of a name. */
export type XmlContent = string | readonly XmlContent[] | { readonly [name: string]: XmlContent | undefined };

const allowed = (_name: string, value: unknown) => String(value).replace(LEFT_OUT_OF_XML, '');

const builder = new XmlBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#',
  suppressEmptyNode: true,
  tagValueProcessor: allowed,
  attributeValueProcessor: allowed,
});

const NAMESPACE = 'http://www.openarchives.org/OAI/2.0/';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** The only form of metadata, which every repository has. */
export const OAI_DC = {
  metadataPrefix: 'oai_dc',
  schema: 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd',
  metadataNamespace: 'http://www.openarchives.org/OAI/2.0/oai_dc/',
} as const;

export interface OaiResponse {
  repository: string;
  /** The arguments of a request that is valid. */
  request: Readonly<Record<string, string>>;
  at: Date;
  /** The element named for the verb, or errors. */
  content: XmlContent;
}

/** Writes a response of OAI-PMH 2.0 as XML. */
export function writeOaiResponse({ repository, request, at, content }: OaiResponse): string {
  const argument = Object.entries(request).map(([name, value]) => [`@${name}`, value]);
  return builder.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    'OAI-PMH': {
      '@xmlns': NAMESPACE,
      '@xmlns:xsi': XSI,
      '@xsi:schemaLocation': `${NAMESPACE} http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd`,
      responseDate: oaiMoment(at.getTime()),
      request: { ...Object.fromEntries(argument), '#': repository },
      ...Object(content),
    },
  });
}

/** A moment in milliseconds since 1970, to the second. */
export function oaiMoment(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

export interface OaiItem {
  /** The address that names it. */
  identifier: string;
  /** When it changed or went, in milliseconds since 1970. */
  datestamp: number;
  kind: Kind;
  isDeleted: boolean;
}

/** The header of a record. */
export function oaiHeader({ identifier, datestamp, kind, isDeleted }: OaiItem): XmlContent {
  return {
    ...(isDeleted && { '@status': 'deleted' }),
    identifier,
    datestamp: oaiMoment(datestamp),
    setSpec: COLLECTIONS[kind],
  };
}

/** What all records say of their archive. */
export interface OaiArchive {
  publisher?: Readonly<Record<string, string>> | undefined;
  licence?: string | undefined;
  /** Its content notes, and those of its subjects: records have them in their graphs. */
  notes?: readonly unknown[] | undefined;
}

/** What all records say of an archive, from its description. */
export function oaiArchive(
  description:
    | (Pick<OaiArchive, 'publisher'> & {
        licence?: { url: string } | undefined;
        note?: unknown;
        notes?: unknown;
      })
    | undefined,
): OaiArchive {
  const { publisher, licence, note, notes } = description ?? {};
  return { publisher, licence: licence?.url, ...(note || notes ? { notes: [note, notes] } : {}) };
}

/**
 * The number of the mapping of records to Dublin Core: of `oaiRecord`, and of the graphs that it is given. It rises with every change of
 * these (test/http/dublin-core-1.xml has what it says), so that the next publish tells harvesters that all records have changed.
 */
export const OAI_MAPPING = 1;

/** A record in Dublin Core, in both languages: its graph without what Dublin Core has no element for. */
export function oaiRecord(item: OaiItem, graph: LinkedNode, { publisher, licence }: OaiArchive): XmlContent {
  const nodes = (...properties: string[]) =>
    properties.flatMap((each) => [graph[each] ?? []].flat()).filter(isNode);
  const names = (of: readonly LinkedNode[]) => of.flatMap(({ name }) => texts(name));
  const addresses = (of: readonly LinkedNode[]) => of.flatMap(({ '@id': address }) => address ?? []);
  const subjects = nodes('about', 'knowsAbout');
  const linked = nodes('location', 'attendee', 'skos:broader', 'skos:related');
  const places = nodes('location', 'birthPlace', 'deathPlace');
  const inBoth = (words: Readonly<Record<string, string>>) =>
    LANGUAGES.map((language) => ({ '@xml:lang': language, '#': words[language] ?? '' }));
  const dates = [graph['startDate'] ?? graph['birthDate'], graph['endDate'] ?? graph['deathDate']].map(
    (date) => texts(date)[0]?.['#'] ?? '',
  );
  return {
    header: oaiHeader(item),
    metadata: {
      'oai_dc:dc': {
        '@xmlns:oai_dc': OAI_DC.metadataNamespace,
        '@xmlns:dc': 'http://purl.org/dc/elements/1.1/',
        '@xsi:schemaLocation': `${OAI_DC.metadataNamespace} ${OAI_DC.schema}`,
        'dc:title': names([graph]),
        'dc:subject': names(subjects),
        'dc:description': [...texts(graph['description']), ...texts(graph['skos:note'])],
        'dc:publisher': publisher ? inBoth(publisher) : [],
        'dc:date':
          dates[0] || dates[1] ? (dates[1] ? dates.map((date) => date || '..').join('/') : dates[0]) : [],
        'dc:type': inBoth({ nl: KIND_NAMES.nl[item.kind].one, en: KIND_NAMES.en[item.kind].one }),
        'dc:identifier': [item.identifier, ...addresses(nodes('url'))],
        'dc:relation': addresses([...subjects, ...linked, ...nodes('sameAs')]),
        'dc:coverage': names(places),
        'dc:rights': licence ?? [],
      },
    },
  };
}

function isNode(value: unknown): value is LinkedNode {
  return typeof value === 'object' && value !== null && !('@value' in value);
}

/** The texts of a property, each with its language if it has one. */
function texts(value: LinkedNode[string]): { '#': string; '@xml:lang'?: string }[] {
  return [value ?? []].flat().flatMap((each) =>
    typeof each === 'object' && '@value' in each
      ? {
          '#': String(each['@value']),
          ...(each['@language'] && { '@xml:lang': String(each['@language']) }),
        }
      : [],
  );
}
