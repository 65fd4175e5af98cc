import { createHash } from 'node:crypto';
import { FolderError, JournalDamageError, journalPath, readJournal } from '@archiefkast/client/node';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types/kinds';
import { parseRecord } from '../records/placed-records.ts';
import { createKindContent, type HashedBytes, type KindContent } from './kind-content.ts';
import type { Proof } from './proof-file.ts';
import { resolveReferences } from './resolve-references.ts';

/** What was found in the journals of a harvest. */
export interface Content {
  /** What is wrong, in sentences; empty when everything is as the proof says. */
  problems: string[];
  kinds: ReadonlyMap<Kind, KindContent>;
  /** The lines of each journal, as they are before they are compressed. */
  journals: ReadonlyMap<Kind, HashedBytes>;
  /** References that lead to a record. */
  references: number;
  /** Kinds that were not harvested, so that references to them could not be checked. */
  unchecked: Kind[];
}

/**
 * Checks what the journals hold against what a proof says: pages in order, as many records as were promised, no uuid
 * missing, and every reference leads to a record.
 */
export async function checkContent(journalFolder: string, proof: Pick<Proof, 'kinds'>): Promise<Content> {
  const problems: string[] = [];
  const kinds = new Map<Kind, KindContent>();
  const journals = new Map<Kind, HashedBytes>();
  const harvested = proof.kinds.map(({ kind }) => kind);
  try {
    for (const kind of KINDS) {
      const expected = proof.kinds.find((one) => one.kind === kind);
      if (!expected) continue;
      const { content, journal, faults } = await readKind(
        journalPath(journalFolder, kind),
        expected,
        harvested,
      );
      kinds.set(kind, content);
      journals.set(kind, journal);
      problems.push(...faults);
    }
  } catch (error) {
    if (!(error instanceof JournalDamageError || error instanceof FolderError || isMissing(error)))
      throw error;
    return { problems: [error.message], kinds, journals, references: 0, unchecked: [] };
  }
  const { unresolved, resolved, unchecked } = resolveReferences(kinds);
  return { problems: [...problems, ...unresolved], kinds, journals, references: resolved, unchecked };
}

function isMissing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function readKind(
  path: string,
  { kind, pages, rows, unique_uuids, count, moved }: Proof['kinds'][number],
  harvested: readonly Kind[],
): Promise<{ content: KindContent; journal: HashedBytes; faults: string[] }> {
  const content = createKindContent(kind, harvested);
  const hash = createHash('sha256');
  const uuids = new Set<string>();
  const faults: string[] = [];
  let bytes = 0;
  let page = 0;
  let found = 0;
  for await (const { entry, line, lines, block, start } of readJournal(path)) {
    for (const part of [line, block]) {
      hash.update(part);
      bytes += part.length;
    }
    if (entry.entry !== 'page') continue;
    page += 1;
    if (entry.page !== page) faults.push(`page ${entry.page} stands where page ${page} should`);
    found += lines.length;
    const records = lines.map((recordLine, skip) => parseRecord({ line: recordLine, path, start, skip }));
    for (const { uuid } of records) uuids.add(uuid);
    content.see(records, block);
  }
  const expectations: [string, number, number][] = [
    ['pages', page, pages],
    ['records', found, rows],
    ['different uuids', uuids.size, unique_uuids],
  ];
  if (moved.length === 0) expectations.push(['records, as many as promised,', found, count]);
  for (const [what, is, should] of expectations) {
    if (is !== should) faults.push(`${is} ${what} where there should be ${should}`);
  }
  return {
    content,
    journal: { bytes, sha256: hash.digest('hex') },
    faults: faults.map((fault) => `${COLLECTIONS[kind]}: ${fault}`),
  };
}
