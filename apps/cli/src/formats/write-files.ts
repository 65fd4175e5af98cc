import { closeSync, createReadStream, openSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderError } from '@archiefkast/client/node';
import {
  hashOfFile,
  isMissing,
  isSystemError,
  type Output,
  putInPlace,
  WriteError,
} from '@archiefkast/system';
import type { Kind } from '@archiefkast/types';
import type { OpenedFile, OpenFile } from './format.ts';
import { loadFormats, optionsOf, type WrittenFormats } from './formats.ts';
import type { HarvestSource } from './source.ts';

export interface FileProof {
  name: string;
  bytes: number;
  sha256: string;
}

/** Computes size and SHA-256 of a file. */
export async function fileProof(path: string, name: string): Promise<FileProof> {
  return { name, ...(await hashOfFile(path)) };
}

export interface FilesToWrite {
  folder: string;
  formats: WrittenFormats;
  /** Names of formats that the folder has already; `datapackage.json` describes their files too. */
  existing?: readonly string[];
  /** The files that archive-cli wrote: those of the proof, and those that were noted before they were put in place. */
  proven: readonly Pick<FileProof, 'name' | 'sha256'>[];
  force: boolean;
  /** For what a file cannot contain, each sentence once. */
  stderr: Output;
  /** The name of the program, for messages. */
  name: string;
  signal: AbortSignal;
}

const UNFINISHED = '.part';

/** The description of the files of a harvest. */
export const PACKAGE_FILE = 'datapackage.json';

/** Writes the files of a harvest. Files of the user are not overwritten. */
export class FileWriter {
  readonly #wanted: FilesToWrite;
  readonly #known: ReadonlySet<string>;

  constructor(wanted: FilesToWrite) {
    this.#wanted = wanted;
    this.#known = new Set(wanted.proven.map(({ name, sha256 }) => `${name} ${sha256}`));
  }

  /** Refuses to overwrite files of the user, before the first request. @throws FolderError naming all of them */
  async check(kinds: readonly Kind[]): Promise<void> {
    const formats = await loadFormats(Object.keys(this.#wanted.formats));
    const names = [...formats.flatMap((format) => format.names(kinds)), PACKAGE_FILE];
    await this.#refuseOthers(names.map((name) => ({ name })));
  }

  /**
   * Writes the files of all formats, one format after the other, then `datapackage.json`, then more. A file that exists must be
   * archive-cli's, or have the same bytes.
   *
   * @param more texts by name of the file; a file without a text is removed
   * @param note called with the files that are about to be put in place
   * @throws FolderError
   */
  async write(
    source: HarvestSource,
    more: Readonly<Record<string, string | undefined>> = {},
    note: (files: readonly FileProof[]) => void = () => {},
  ): Promise<FileProof[]> {
    const { folder, formats, existing = [], stderr, name: program } = this.#wanted;
    await mkdir(folder, { recursive: true });
    const warn = warnOnce(stderr, program);
    const written: FileProof[] = [];
    for (const [name, given] of Object.entries(formats)) {
      for (const format of await loadFormats([name])) {
        const write = (open: OpenFile) => format.write(source, open, { ...optionsOf(given), warn });
        written.push(...(await this.#writeGroup(format.names(source.kinds), write, note)));
      }
    }
    const described = await loadFormats([...Object.keys(formats), ...existing]);
    const names = described.flatMap((format) => format.names(source.kinds));
    const text = await describePackage(folder, names, written, source);
    for (const [name, given] of Object.entries({ [PACKAGE_FILE]: text, ...more })) {
      const write = async (open: OpenFile) => {
        if (given !== undefined) open(name)?.write(given);
      };
      written.push(...(await this.#writeGroup([name], write, note)));
    }
    return written;
  }

  /** Whether a file is missing, archive-cli's, or has the SHA-256 of what would be written. */
  async #isOurs(name: string, sha256?: string): Promise<boolean> {
    try {
      const found = await fileProof(join(this.#wanted.folder, name), name);
      return found.sha256 === sha256 || this.#known.has(`${name} ${found.sha256}`);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return isMissing(error);
    }
  }

  async #refuseOthers(files: readonly { name: string; sha256?: string }[]): Promise<void> {
    const { folder, force, name: program } = this.#wanted;
    const others: string[] = [];
    for (const { name, sha256 } of files)
      if (!(await this.#isOurs(name, sha256))) others.push(join(folder, name));
    if (others.length > 0 && !force) {
      const what = `${others.join(', ')} ${others.length === 1 ? 'was' : 'were'} not written by ${program}`;
      const advice = 'move what you want to keep, or use --force to overwrite it';
      throw new FolderError(`${what}, or changed since; ${advice}`);
    }
  }

  /** Writes files that belong together; those of the names that are not opened are removed. */
  async #writeGroup(
    names: readonly string[],
    write: (open: OpenFile) => Promise<void>,
    note: (files: readonly FileProof[]) => void,
  ): Promise<FileProof[]> {
    const { folder, signal } = this.#wanted;
    await using files = new PartFiles(folder, signal);
    await write(files.open);
    const proofs = await files.finish();
    await this.#refuseOthers(proofs);
    note(proofs);
    await files.putInPlace();
    for (const name of names) {
      const isWritten = proofs.some((proof) => proof.name === name);
      if (!isWritten && (await this.#isOurs(name))) await rm(join(folder, name), { force: true });
    }
    return proofs.map(({ path: _, ...proof }) => proof);
  }
}

/** Creates the function that prints warnings, each once. @param name of the program */
export function warnOnce(stderr: Output, name: string): (sentence: string) => void {
  const said = new Set<string>();
  return (sentence) => {
    if (!said.has(sentence)) stderr.write(`${name}: ${sentence}\n`);
    said.add(sentence);
  };
}

/** Length of the texts that are written together, in UTF-16 units. */
const BLOCK = 64 * 1024;

/** Files that are written under temporary names; those that are not put in place are removed. */
export class PartFiles implements AsyncDisposable {
  readonly #folder: string;
  readonly #signal: AbortSignal;
  readonly #files = new Map<string, { path: string; descriptor: number; flush(): void }>();

  constructor(folder: string, signal: AbortSignal) {
    this.#folder = folder;
    this.#signal = signal;
  }

  /** Opens a file. @throws WriteError, which names it as it will be */
  readonly open = (name: string): OpenedFile => {
    const path = join(this.#folder, name + UNFINISHED);
    const trying = <Result>(work: () => Result): Result => {
      try {
        return work();
      } catch (error) {
        throw new WriteError(join(this.#folder, name), error);
      }
    };
    const descriptor = trying(() => openSync(path, 'w'));
    let text = '';
    const put = (content: string | Uint8Array) => {
      this.#signal.throwIfAborted();
      // Synchronous: waiting for another thread takes longer than the copy to the page cache.
      trying(() => writeFileSync(descriptor, content));
    };
    const flush = () => {
      put(text);
      text = '';
    };
    this.#files.set(name, { path, descriptor, flush });
    return {
      path,
      write(part) {
        if (typeof part === 'string') text += part;
        if (text !== '' && (typeof part !== 'string' || text.length >= BLOCK)) flush();
        if (typeof part !== 'string') put(part);
      },
    };
  };

  /** Ends all files; returns their temporary paths, sizes and SHA-256. @throws WriteError */
  async finish(): Promise<(FileProof & { path: string })[]> {
    const proofs = [];
    for (const [name, { path, flush }] of this.#files) {
      flush();
      proofs.push({ path, ...(await fileProof(path, name)) });
    }
    return proofs;
  }

  /** Renames all files to their own names. @throws WriteError */
  async putInPlace(): Promise<void> {
    for (const [name, { path }] of this.#files) await putInPlace(path, join(this.#folder, name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { descriptor, path } of this.#files.values()) {
      closeSync(descriptor);
      await rm(path, { force: true });
    }
  }
}

/** The text of `datapackage.json`, which describes the files of a folder. */
async function describePackage(
  folder: string,
  names: readonly string[],
  written: readonly FileProof[],
  source: HarvestSource,
): Promise<string> {
  const { dataPackage, isReadingTable } = await import('@archiefkast/formats/data-package');
  const files = [];
  for (const name of names) {
    const path = join(folder, name);
    try {
      const proof = written.find((file) => file.name === name) ?? (await fileProof(path, name));
      files.push(isReadingTable(name) ? { ...proof, header: await readHeader(path) } : proof);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  const { source: homepage, language, edition } = source.walk;
  const { title, description, licence } = source.words ?? {};
  const words = { title: title?.[language], description: description?.[language], licence };
  const described = dataPackage({ homepage, language, edition, ...words }, files);
  return `${JSON.stringify(described, null, 2)}\n`;
}

async function readHeader(path: string): Promise<string[]> {
  const { readCsv } = await import('@archiefkast/formats/csv');
  for await (const { cells } of readCsv(createReadStream(path), { delimiter: ',' })) return cells;
  return [];
}
