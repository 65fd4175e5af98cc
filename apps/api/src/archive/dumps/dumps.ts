import { createHash } from 'node:crypto';
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { Language } from '@archive/types';
import type { EditionContents } from '../../editions/edition.ts';
import type { DerivedFiles } from '../derived-files.ts';
import { encodeChunks } from '../encode-chunks.ts';
import type { VirtualFile } from '../virtual-file.ts';
import { type Dump, fileNameOf } from './dump-names.ts';
import { createDumpParts, type DumpParts, type DumpSources } from './dump-parts.ts';
import { type Outline, readOutline, writeOutline } from './outline.ts';

/** Outlines kept in memory: those of two editions in both languages. */
const MOST_OUTLINES = 36;

/** A dump as a file that is made from its edition whenever it is read. */
export interface DumpFile extends VirtualFile {
  /** Size, hash and where the parts start; makes the file, without keeping it, where that is not known yet. */
  outline(): Promise<Outline>;
}

/** Opens the dumps of editions. */
export interface Dumps {
  open(edition: EditionContents, language: Language, dump: Dump): Promise<DumpFile>;
}

/** Dumps whose outlines are kept among the derived files of their edition. */
export function createDumps(sources: DumpSources, files: DerivedFiles): Dumps {
  const outlines = new Map<string, Outline>();
  const measuring = new Map<string, Promise<Outline>>();
  let turn: Promise<unknown> = Promise.resolve();
  // Links are absolute, so that another base URL gives other bytes.
  const base = createHash('sha256').update(sources.baseUrl).digest('hex').slice(0, 8);

  const remember = (path: string, outline: Outline) => {
    outlines.set(path, outline);
    const [oldest] = outlines.keys();
    if (outlines.size > MOST_OUTLINES && oldest !== undefined) outlines.delete(oldest);
  };

  return {
    async open(edition, language, dump) {
      const parts = createDumpParts(sources, edition, language, dump);
      const path = files.path(edition, `${language}.${fileNameOf(dump)}.${base}.outline`);
      const kept = outlines.get(path) ?? (await readOutline(path));
      if (kept) remember(path, kept);

      const keep = async (outline: Outline) => {
        remember(path, outline);
        await files.prepare();
        await writeOutline(path, outline);
      };
      const measure = async (): Promise<Outline> => {
        for await (const _ of makeAll(parts, keep));
        const outline = outlines.get(path);
        if (!outline) throw new Error(`${fileNameOf(dump)}: it was made, but not measured`);
        return outline;
      };
      /** One dump is measured at a time, and each once. */
      const outline = (): Promise<Outline> => {
        const known = outlines.get(path);
        if (known) return Promise.resolve(known);
        const running = measuring.get(path) ?? turn.then(measure).finally(() => measuring.delete(path));
        measuring.set(path, running);
        turn = running.catch(() => undefined);
        return running;
      };
      return {
        size: kept?.bytes,
        outline,
        measure: async () => (await outline()).bytes,
        read: (start = 0, end = kept?.bytes) => {
          const known = outlines.get(path);
          if (known) return makePart(parts, known, start, end ?? known.bytes);
          if (start > 0) throw new RangeError('a dump that has not been measured is read from its start');
          return makeAll(parts, keep);
        },
      };
    },
  };
}

/** The whole file; calls `onOutline` with its outline when it has been read to the end. */
async function* makeAll(
  parts: DumpParts,
  onOutline: (outline: Outline) => Promise<void>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  const starts: number[] = [];
  let bytes = 0;
  for (let part = 0; part < parts.count; part += 1) {
    starts.push(bytes);
    await othersTurn();
    for (const buffer of encodeChunks(await parts.make(part))) {
      hash.update(buffer);
      bytes += buffer.length;
      yield buffer;
    }
  }
  await onOutline({ bytes, sha256: hash.digest('hex'), starts });
}

/** The bytes from `start` up to `end`; parts that hold none of them are not made. */
async function* makePart(
  parts: DumpParts,
  { starts }: Outline,
  start: number,
  end: number,
): AsyncGenerator<Buffer> {
  const first = starts.findLastIndex((offset) => offset <= start);
  let at = starts[first] ?? 0;
  for (let part = first; part < parts.count && at < end; part += 1) {
    await othersTurn();
    for (const buffer of encodeChunks(await parts.make(part))) {
      const wanted = buffer.subarray(Math.max(0, start - at), Math.max(0, end - at));
      at += buffer.length;
      if (wanted.length > 0) yield wanted;
    }
  }
}
