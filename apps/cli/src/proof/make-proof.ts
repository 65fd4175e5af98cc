import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { type HarvestReport, JOURNAL_FOLDER, journalPath, walkFilePath } from '@archive/client/node';
import type { FileProof } from '../formats/export-kind.ts';
import { readVersion } from '../version.ts';
import type { Proof } from './proof-file.ts';

/** The proof of a harvest whose files are written. */
export async function makeProof(
  folder: string,
  report: HarvestReport,
  files: readonly FileProof[],
): Promise<Proof> {
  const journalFolder = join(folder, JOURNAL_FOLDER);
  const walkFile = walkFilePath(journalFolder);
  const journals = [
    await fileProof(walkFile, `${JOURNAL_FOLDER}/${basename(walkFile)}`),
    ...report.kinds.map(({ kind, journal }) => ({
      name: `${JOURNAL_FOLDER}/${basename(journalPath(journalFolder, kind))}`,
      ...journal,
    })),
  ];
  return {
    tool: `archive-cli ${await readVersion()}`,
    source: report.source,
    language: report.language,
    edition: report.edition,
    started: report.startedAt,
    finished: report.finishedAt,
    complete: isComplete(report),
    moved: report.moved,
    kinds: report.kinds.map((kind) => ({
      kind: kind.kind,
      pages: kind.pages,
      rows: kind.rows,
      unique_uuids: kind.uniqueUuids,
      count: kind.count,
      total_at_start: kind.totalAtStart,
      total_at_end: kind.totalAtEnd,
      retries: kind.retries,
      seconds_waited: kind.secondsWaited,
      walked_again: kind.walkedAgain,
      moved: kind.moved,
    })),
    files: [...files, ...journals],
  };
}

/** Whether nothing moved while a harvest was made. */
export function isComplete({ kinds, moved }: Pick<HarvestReport, 'kinds' | 'moved'>): boolean {
  return moved.length === 0 && kinds.every((kind) => kind.moved.length === 0);
}

/** What proves that a file is whole, read from the file. */
export async function fileProof(path: string, name: string): Promise<FileProof> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const block: Buffer = chunk;
    hash.update(block);
    bytes += block.length;
  }
  return { name, bytes, sha256: hash.digest('hex') };
}
