import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageFile } from '@archiefkast/formats/data-package';
import { isMissing } from '@archiefkast/system';
import { type FileProof, fileProof } from './file-proof.ts';
import type { FileOptions, FormatFile } from './format.ts';
import type { HarvestSource } from './harvest-source.ts';
import { loadFormats } from './registry.ts';

/** The files to write. */
export interface FormatPlan extends FileOptions {
  /** Names of the formats, in the order of the registry. */
  formats: string[];
  /** @param folder that the files and datapackage.json are written to */
  files(source: HarvestSource, folder: string): FormatFile[];
}

/**
 * Plans the files of some formats.
 *
 * @param names of the formats
 * @param warn receives each warning once
 * @param existing formats that the folder has already; datapackage.json lists them too
 */
export async function planFormats(
  names: readonly string[],
  { bom, both, html }: FileOptions,
  warn: (sentence: string) => void,
  existing: readonly string[] = [],
): Promise<FormatPlan> {
  const formats = await loadFormats(names);
  const described = await loadFormats([...names, ...existing]);
  const said = new Set<string>();
  const options = {
    bom,
    both,
    html,
    warn(sentence: string) {
      if (!said.has(sentence)) warn(sentence);
      said.add(sentence);
    },
  };
  return {
    formats: formats.map(({ name }) => name),
    bom,
    both,
    html,
    files(source, folder) {
      const all = described.flatMap((format) => format.files(source, { ...options, warn: () => {} }));
      return [
        ...formats.flatMap((format) => format.files(source, options)),
        dataPackageFile(
          folder,
          all.map(({ name }) => name),
          source,
        ),
      ];
    },
  };
}

/** Maximum size of a CSV header, in bytes. */
const LONGEST_HEADER = 64 * 1024;

/** datapackage.json, which describes the files of a folder; written last. */
function dataPackageFile(folder: string, names: readonly string[], source: HarvestSource): FormatFile {
  return {
    name: 'datapackage.json',
    async *parts(written = []) {
      const { dataPackage } = await import('@archiefkast/formats/data-package');
      const { readArchiveWords } = await import('../records/archive-words.ts');
      const { source: homepage, language, edition } = await source.walk();
      const files: PackageFile[] = [];
      for (const name of names) {
        const file = await describeFile(folder, name, written);
        if (file) files.push(file);
      }
      const words = await readArchiveWords(source.journalFolder);
      yield [`${JSON.stringify(dataPackage({ homepage, language, edition, ...words }, files), null, 2)}\n`];
    },
  };
}

/** Describes a file of the package; undefined if it is missing. */
async function describeFile(
  folder: string,
  name: string,
  written: readonly FileProof[],
): Promise<PackageFile | undefined> {
  const { isReadingTable } = await import('@archiefkast/formats/data-package');
  const path = join(folder, name);
  try {
    const proof = written.find((file) => file.name === name) ?? (await fileProof(path, name));
    return isReadingTable(name) ? { ...proof, header: await readHeader(path) } : proof;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Reads the header of a CSV file that archive-cli wrote. */
async function readHeader(path: string): Promise<string[]> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_HEADER), 0, LONGEST_HEADER, 0);
  const [line = ''] = buffer
    .subarray(0, bytesRead)
    .toString()
    .replace(/^\ufeff/, '')
    .split('\r\n', 1);
  const cells = line.match(/"(?:[^"]|"")*"|[^,]+/g) ?? [];
  return cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}
