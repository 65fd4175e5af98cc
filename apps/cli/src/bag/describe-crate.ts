import type { ArchiveWords } from '@archiefkast/client/internal/node';
import { mediaTypeOf } from '@archiefkast/formats/data-package';
import type { FileProof } from '../formats/write-files.ts';
import { MANIFEST_FILE, type Proof } from '../proof/proof.ts';

/** The description of a crate, at its root. */
export const CRATE_FILE = 'ro-crate-metadata.json';

const VERSION = 'https://w3id.org/ro/crate/1.1';

/** Describes the files of a harvest as an RO-Crate 1.1: what they are, of which edition of which archive, and how they were made. */
export function describeCrate(
  { source, language, edition, published_as, started, finished, tool }: Proof,
  words: ArchiveWords | undefined,
  files: readonly FileProof[],
): object {
  const { licence, mirror_of: origin } = words ?? {};
  const publisher = publisherOf(words);
  const title = words?.title?.[language] ?? `Archive at ${source}`;
  const original = origin?.address ?? source;
  const of = edition === null ? '' : `, edition ${edition}`;
  const proven =
    published_as === null ? 'harvested' : `proven to be what was published as edition ${published_as}`;
  const entities = [
    {
      ...{ '@id': CRATE_FILE, '@type': 'CreativeWork' },
      ...{ conformsTo: reference(VERSION), about: reference('./') },
    },
    {
      ...{ '@id': './', '@type': 'Dataset', name: `${title}${of}` },
      description: words?.description?.[language] || `All records of ${source}${of}, ${proven}.`,
      ...{ datePublished: finished.slice(0, 10), inLanguage: language, isBasedOn: reference(original) },
      ...(edition === null ? {} : { version: edition }),
      ...(licence ? { license: reference(licence.url) } : {}),
      ...(publisher ? { publisher: reference(PUBLISHER) } : {}),
      hasPart: files.map(({ name }) => reference(encodeURI(name))),
      mentions: reference(HARVEST),
    },
    ...files.map(({ name, bytes, sha256 }) => ({
      ...{ '@id': encodeURI(name), '@type': 'File', name, contentSize: String(bytes), sha256 },
      encodingFormat: mediaTypeOf(name),
      ...(name === MANIFEST_FILE
        ? { description: 'What the archive published: the hashes of its records' }
        : {}),
    })),
    {
      ...{ '@id': HARVEST, '@type': 'CreateAction', name: `Harvest of ${source}: ${proven}` },
      ...{ startTime: started, endTime: finished, object: reference(source), result: reference('./') },
      instrument: reference(TOOL),
    },
    { '@id': TOOL, '@type': 'SoftwareApplication', name: tool },
    ...[...new Set([source, original])].map((id) => ({ '@id': id, '@type': 'WebSite', name: title })),
    ...(licence ? [{ '@id': licence.url, '@type': 'CreativeWork', name: licence.name }] : []),
    ...(publisher ? [{ '@id': PUBLISHER, '@type': 'Organization', name: publisher }] : []),
  ];
  return { '@context': `${VERSION}/context`, '@graph': entities };
}

/** Who publishes an archive, as a text; undefined if it does not say. */
export function publisherOf(words: ArchiveWords | undefined): string | undefined {
  const publisher = words?.['publisher'];
  return typeof publisher === 'string' ? publisher : undefined;
}

const HARVEST = '#harvest';
const TOOL = '#tool';
const PUBLISHER = '#publisher';

function reference(id: string) {
  return { '@id': id };
}
