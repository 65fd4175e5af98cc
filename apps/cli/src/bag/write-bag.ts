import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import type { ArchiveWords } from '@archiefkast/client/internal/node';
import { FolderError } from '@archiefkast/client/node';
import { writeZip, type ZipEntry } from '@archiefkast/formats/zip';
import { writeWhole } from '@archiefkast/system';
import { fileProof } from '../formats/write-files.ts';
import { compareFiles, PROOF_FILE, type Proof } from '../proof/proof.ts';
import { CRATE_FILE, describeCrate, publisherOf } from './describe-crate.ts';

/**
 * Writes a harvest as a bag (BagIt 1.0, RFC 8493) in a zip file: all files of its proof, the proof, and a description as RO-Crate. The
 * same harvest always gives the same bytes.
 *
 * @param path of the zip file
 * @throws FolderError if a file is not what the proof says; WriteError
 */
export async function writeBag(
  path: string,
  folder: string,
  proof: Proof,
  words: ArchiveWords | undefined,
): Promise<void> {
  const changed = await compareFiles(folder, proof);
  if (changed.length > 0)
    throw new FolderError(`${join(folder, changed[0] ?? '')}; a bag needs the files as they were harvested`);
  const files = [...proof.files, await fileProof(join(folder, PROOF_FILE), PROOF_FILE)];
  const crate = `${JSON.stringify(describeCrate(proof, words, files), null, 2)}\n`;
  const described = { name: CRATE_FILE, ...measure(crate) };
  const payload = [...files, described].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const bytes = payload.reduce((sum, file) => sum + file.bytes, 0);
  const tags = {
    'bagit.txt': 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    'bag-info.txt': tagLines({
      'Source-Organization': publisherOf(words),
      'External-Description': words?.title?.[proof.language],
      'External-Identifier':
        proof.edition === null ? proof.source : `${proof.source} edition ${proof.edition}`,
      'Bagging-Date': proof.finished.slice(0, 10),
      'Payload-Oxum': `${bytes}.${payload.length}`,
      'Bag-Software-Agent': proof.tool,
    }),
    'manifest-sha256.txt': payload
      .map(({ name, sha256 }) => `${sha256}  data/${encodeName(name)}\n`)
      .join(''),
  };
  const tagManifest = Object.entries(tags)
    .map(([name, text]) => `${measure(text).sha256}  ${name}\n`)
    .join('');
  const bag = basename(path).replace(/\.zip$/i, '');
  const entries: ZipEntry[] = [
    ...Object.entries({ ...tags, 'tagmanifest-sha256.txt': tagManifest, [`data/${CRATE_FILE}`]: crate }).map(
      ([name, content]) => ({ name: `${bag}/${name}`, content }),
    ),
    ...files.map(({ name }) => ({
      name: `${bag}/data/${name}`,
      content: () => createReadStream(join(folder, name)),
    })),
  ];
  await writeWhole(path, (file) => file.writeFile(writeZip(entries)));
}

function measure(text: string) {
  return { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

/** The lines of tags that have a value, each on one line. */
function tagLines(tags: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(tags)
    .map(([name, value]) => (value ? `${name}: ${value.replace(/\s+/g, ' ').trim()}\n` : ''))
    .join('');
}

/** A name in a manifest: line ends and percent signs are encoded (RFC 8493, 2.1.3). */
function encodeName(name: string): string {
  return name.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
