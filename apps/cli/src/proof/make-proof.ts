import { basename } from 'node:path';
import { type HarvestReport, JOURNAL_FOLDER, supplementPath, walkFilePath } from '@archiefkast/client/node';
import type { FileOptions } from '../formats/formats.ts';
import { type FileProof, fileProof } from '../formats/write-files.ts';
import { readVersion } from '../version.ts';
import { journalName, type Proof, SUPPLEMENT_NAME } from './proof-file.ts';

/** The part of a proof about the written files. */
interface Written extends FileOptions {
  formats: string[];
  hasSupplement: boolean;
  problems: string[];
  published_as: string | null;
}

/**
 * Creates the proof of a harvest.
 *
 * @param files written from the journals
 */
export async function makeProof(
  journalFolder: string,
  report: HarvestReport,
  files: readonly FileProof[],
  { hasSupplement, ...written }: Written,
): Promise<Proof> {
  const walkFile = walkFilePath(journalFolder);
  const supplement = supplementPath(journalFolder);
  const journals = [
    ...(hasSupplement ? [await fileProof(supplement, SUPPLEMENT_NAME)] : []),
    await fileProof(walkFile, `${JOURNAL_FOLDER}/${basename(walkFile)}`),
    ...report.kinds.map(({ kind, journal }) => ({ name: journalName(kind), ...journal })),
  ];
  return {
    tool: `archive-cli ${await readVersion()}`,
    source: report.source,
    language: report.language,
    edition: report.edition,
    started: report.startedAt,
    finished: report.finishedAt,
    complete: isComplete(report) && written.problems.length === 0,
    ...written,
    moved: report.moved,
    kinds: kindProofs(report),
    files: [...files, ...journals],
  };
}

/** The part of a proof about the kinds. */
export function kindProofs({ kinds }: HarvestReport): Proof['kinds'] {
  return kinds.map((kind) => ({
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
  }));
}

/** Whether the archive did not change during a harvest. */
export function isComplete({ kinds, moved }: Pick<HarvestReport, 'kinds' | 'moved'>): boolean {
  return moved.length === 0 && kinds.every((kind) => kind.moved.length === 0);
}
