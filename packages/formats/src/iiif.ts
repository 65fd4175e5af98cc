import {
  apiReference,
  type FileObject,
  KIND_NAMES,
  type Kind,
  LANGUAGES,
  type Language,
  recordPage,
} from '@archiefkast/types';
import { firstDayOf } from '@archiefkast/types/internal';
import { type DatasetArchive, publisherOf } from './dataset.ts';
import {
  addressOfSize,
  type ImageService,
  type ImageSettings,
  imageServiceOf,
  sizesFor,
} from './image-service.ts';
import { addressOf, dateOf, IIIF_CONTEXT, identityOf, type LinkedRecord, type Links } from './linked-data.ts';
import { nameOf, type RecordView } from './record-view.ts';

/** Texts by language, as the IIIF Presentation API 3 has them; `none` for those of an unknown one. */
type LanguageMap = Readonly<Record<string, readonly string[]>>;

/** The type of the documents of the Presentation API 3. */
export const IIIF_TYPE = `application/ld+json;profile="${IIIF_CONTEXT}"`;

/** What all manifests of an archive have in common. */
export interface ManifestSources {
  /** Base of the addresses of the server that answers. */
  baseUrl: string;
  /** Base of the addresses that name records and the archive; another one for copies. */
  identity: string;
  /** Whether records have pages. */
  hasPages: boolean;
  archive: DatasetArchive | undefined;
  /** The address of a path of this server, in the edition of the request. */
  locate(path: string): string;
  /** Where smaller sizes and tiles of pictures are. */
  images: ImageSettings;
}

/** The path of the manifest of a record. */
export function manifestPath(uuid: string): string {
  return `/iiif/${uuid}/manifest.json`;
}

/** The pictures of a record whose size is known, the main one first, each with its address. */
export function sizedPictures({ image, main_image: main, files = [], sizes = [] }: RecordView) {
  const pictures = new Map([image ?? main, ...files].flatMap((file) => (file ? [[file.uuid, file]] : [])));
  return [...pictures.values()].flatMap((file) => {
    const size = sizes.find(({ uuid }) => uuid === file.uuid);
    const address = addressOf(file.path ?? file.url)?.['@id'];
    if (!size || !address || file.filetype !== 'image') return [];
    return [{ file, address, size: { width: size.width, height: size.height } }];
  });
}

/**
 * The manifest of a record by the IIIF Presentation API 3: what it is in both languages, and a canvas for each picture whose size is
 * known; undefined if it has none. Rights are there if they have an address that the API allows.
 */
export function manifestOf(record: RecordView, links: Links, sources: ManifestSources): object | undefined {
  const { baseUrl, identity, hasPages, archive, locate, images } = sources;
  const { kind, uuid } = record;
  const id = locate(manifestPath(uuid));
  const label = namesOf([record]);
  const bodies = sizedPictures(record).map(({ file, address, size }) => {
    const service = imageServiceOf(images, file, record.sizes);
    const body = { id: address, type: 'Image', ...formatOf(address), ...size, ...serviceIn(service) };
    return { file, body, thumbnail: service && thumbnailOf(service) };
  });
  const [first] = bodies;
  if (!first) return undefined;
  const json = LANGUAGES.map((language) => ({
    ...{ id: locate(apiReference('', language, kind, uuid)), type: 'Dataset', format: 'application/json' },
    label: { [language]: [language === 'nl' ? 'Record als JSON' : 'Record as JSON'] },
  }));
  const pages = LANGUAGES.map((language) => ({
    ...{ id: locate(recordPage('', language, kind, uuid)), type: 'Text', format: 'text/html' },
    ...{ label: label[language] ? { [language]: label[language] } : label, language: [language] },
  }));
  const canvases = bodies.map(({ file, body, thumbnail }) => {
    const canvas = `${baseUrl}/iiif/${uuid}/canvas/${file.uuid}`;
    const caption = file.title || file.name;
    const painting = {
      ...{ id: `${canvas}/painting`, type: 'Annotation', motivation: 'painting', body, target: canvas },
    };
    return {
      ...{ id: canvas, type: 'Canvas', label: caption ? { none: [caption] } : label },
      ...{ width: body.width, height: body.height, ...(thumbnail && { thumbnail: [thumbnail] }) },
      ...rightsOf(file.copyright, file.author),
      ...statementOf([file]),
      items: [{ id: `${canvas}/page`, type: 'AnnotationPage', items: [painting] }],
    };
  });
  const texts = { nl: record.summary_nl, en: record.summary_en };
  const summary = Object.entries(texts).flatMap(([language, text]) => (text ? [[language, [text]]] : []));
  return {
    ...{ '@context': IIIF_CONTEXT, id, type: 'Manifest', label },
    ...(summary.length > 0 && { summary: Object.fromEntries(summary) }),
    metadata: metadataOf(record, links, identityOf(identity, uuid)),
    ...statementOf(
      bodies.map(({ file }) => file),
      record.notes,
    ),
    ...rightsOf(archive?.licence?.url),
    ...(archive?.publisher && { provider: [providerOf(archive, identity)] }),
    ...navDateOf(record),
    thumbnail: [first.thumbnail ?? first.body],
    ...(hasPages && { homepage: pages }),
    seeAlso: [
      {
        ...{ id: locate(`/id/${uuid}.jsonld`), type: 'Dataset', format: 'application/ld+json' },
        label: { nl: ['Linked data'], en: ['Linked data'] },
      },
      ...json,
    ],
    items: canvases,
  };
}

/** The image service of a picture, as documents of the Presentation API name it. */
function serviceIn(service: ImageService | undefined): { service?: readonly object[] } {
  return service ? { service: [{ id: service.id, type: 'ImageService3', profile: 'level0' }] } : {};
}

/** The longest side of a picture that stands for others, in pixels. */
const THUMBNAIL = 400;

function thumbnailOf(service: ImageService): object {
  const sizes = sizesFor(service).filter(({ width, height }) => Math.max(width, height) <= THUMBNAIL);
  const size = sizes.at(-1) ?? service;
  const { width, height } = size;
  return {
    ...{ id: addressOfSize(service, size), type: 'Image', format: 'image/jpeg', width, height },
    ...serviceIn(service),
  };
}

/** A collection of manifests, and of other collections. */
export function collectionOf(
  id: string,
  label: LanguageMap,
  items: readonly object[],
  { partOf, archive, identity }: { partOf?: string } & Pick<ManifestSources, 'archive' | 'identity'>,
): object {
  return {
    ...{ '@context': IIIF_CONTEXT, id, type: 'Collection', label },
    ...(archive?.publisher && { provider: [providerOf(archive, identity)] }),
    ...statementOf([], archive?.note ? [archive.note] : []),
    ...(partOf && { partOf: [{ id: partOf, type: 'Collection' }] }),
    items,
  };
}

/** A manifest, or another collection, as a collection lists it. */
export function itemOf(id: string, type: 'Manifest' | 'Collection', label: LanguageMap): object {
  return { id, type, label };
}

/** The names of records in each language in which one has a name; one without has none. */
export function namesOf(records: readonly LinkedRecord[]): LanguageMap {
  const names = LANGUAGES.flatMap((language) => {
    const texts = records.map((record) => nameOf(record, language));
    return texts.some((name) => name.language === language)
      ? [[language, texts.map(({ text }) => text)] as const]
      : [];
  });
  return Object.fromEntries(names);
}

/** The formats of pictures by the ending of their address. */
const FORMATS = { jpg: 'jpeg', jpeg: 'jpeg', png: 'png', gif: 'gif', webp: 'webp', avif: 'avif' } as const;

function formatOf(address: string): { format?: string } {
  const ending = /\.(\w+)$/.exec(URL.parse(address)?.pathname ?? '')?.[1]?.toLowerCase();
  const [, name] = Object.entries(FORMATS).find(([each]) => each === ending) ?? [];
  return name ? { format: `image/${name}` } : {};
}

/** The addresses of rights that the Presentation API allows: those of Creative Commons and RightsStatements.org, with http. */
const RIGHTS =
  /^https?:\/\/(?:www\.)?(creativecommons\.org\/(?:licenses|publicdomain)\/[^/\s]+\/\d\.\d|rightsstatements\.org\/vocab\/[\w-]+\/\d\.\d)(?:\/[\w.-]*)*$/;

/** The rights of the first text that is an address of rights, in the form that the Presentation API has. */
function rightsOf(...texts: readonly (string | undefined)[]): { rights?: string } {
  const [address] = texts.flatMap((text) => RIGHTS.exec(text?.trim() ?? '')?.[1] ?? []);
  return address ? { rights: `http://${address}/` } : {};
}

/**
 * What has to be shown with pictures: their credits and rights, each once, and the content notes of their record. With notes, each
 * language has all of it, as viewers leave out what is in none.
 */
function statementOf(
  files: readonly FileObject[],
  notes: RecordView['notes'] = [],
): { requiredStatement?: object } {
  const said = new Set(
    files.flatMap(({ alt, author, copyright }) => [alt, author, copyright].filter(Boolean)),
  );
  if (notes.length === 0 && said.size === 0) return {};
  if (notes.length === 0)
    return { requiredStatement: { label: inLanguages(CREDIT), value: { none: [...said] } } };
  const label = said.size > 0 ? { nl: `Vooraf. ${CREDIT.nl}`, en: `Content note. ${CREDIT.en}` } : NOTE;
  const value = (language: Language) => [...notes.map((note) => note[language]), ...said];
  return { requiredStatement: { label: inLanguages(label), value: { nl: value('nl'), en: value('en') } } };
}

const CREDIT = { nl: 'Naamsvermelding en rechten', en: 'Credit and rights' };
const NOTE = { nl: 'Vooraf', en: 'Content note' };

function providerOf(archive: DatasetArchive, identity: string): object {
  const homepage = addressOf(archive.homepage)?.['@id'];
  const label = inLanguages(archive.publisher);
  return {
    ...{ id: publisherOf(identity, archive), type: 'Agent', label },
    ...(homepage && { homepage: [{ id: homepage, type: 'Text', label, format: 'text/html' }] }),
  };
}

function inLanguages(words: Readonly<Record<string, string>> | undefined): LanguageMap {
  return Object.fromEntries(Object.entries(words ?? {}).map(([language, text]) => [language, [text]]));
}

/** The first day of an event, for timelines; none if it is not known to the day. */
function navDateOf({ date, date_start: start }: RecordView): { navDate?: string } {
  const day = dateOf(date || start || '');
  return day?.['@type'] === 'xsd:date' && firstDayOf(day['@value']) === day['@value']
    ? { navDate: `${day['@value']}T00:00:00Z` }
    : {};
}

/** Dates as they are known (EDTF), places, and the records that a record refers to. */
function metadataOf(record: RecordView, links: Links, address: string) {
  const text = (nl: string, en: string, parts: readonly (string | null | undefined)[]) => {
    const value = parts.filter(Boolean).join(', ');
    return value ? [{ label: { nl: [nl], en: [en] }, value: { none: [value] } }] : [];
  };
  const named = (kind: Kind, ...properties: readonly string[]) => {
    const records = properties.flatMap((property) => links[property] ?? []);
    const label = inLanguages({ nl: KIND_NAMES.nl[kind].many, en: KIND_NAMES.en[kind].many });
    return records.length > 0 ? [{ label, value: namesOf(records) }] : [];
  };
  const { birth_place: born, birth_country: bornIn, death_place: died, death_country: diedIn } = record;
  const { date, date_start: start, date_end: end } = record;
  return [
    ...text('Geboren', 'Born', [record.birth_date, born, bornIn]),
    ...text('Overleden', 'Died', [record.death_date, died, diedIn]),
    ...text('Datum', 'Date', [date || [start, end].filter(Boolean).join('/')]),
    ...text('Adres', 'Address', [record.street, record.zipcode, record.city, record.state, record.land]),
    ...named('location', 'location', 'skos:related'),
    ...named('person', 'attendee'),
    ...named('subject', 'knowsAbout', 'about', 'skos:broader'),
    ...text('Permanent adres', 'Permanent address', [address]),
  ];
}
