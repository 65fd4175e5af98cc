import { createHash } from 'node:crypto';
import { FolderError, JournalDamageError, journalPath, readJournal } from '@archive/client/node';
import { COLLECTIONS, KINDS, type Kind, RECORD_FIELDS } from '@archive/types';
import { parseRecord } from '../records/placed-records.ts';
import type { Proof } from './proof-file.ts';
import { createReferenceCheck } from './reference-check.ts';

/** What the journal of a kind holds. */
export interface KindContent {
  /** Of the journal's lines, before they are compressed. */
  journal: { bytes: number; sha256: string };
  /** Of the records' lines: what a file of them holds. */
  lines: { bytes: number; sha256: string };
  /** Fields that the contract does not know, which a lenient harvest keeps. */
  extraFields: string[];
}

/** What was found in the journals of a harvest. */
export interface Content {
  /** What is wrong, in sentences; empty when everything is as the proof says. */
  problems: string[];
  kinds: Map<Kind, KindContent>;
  /** References that lead to a record. */
  references: number;
  /** Kinds that were not harvested, so that references to them could not be checked. */
  unchecked: Kind[];
}

/** The order in which most references lead to what was read before. */
const READING_ORDER = ['subject', 'person', 'event', 'location'] as const satisfies readonly Kind[];

/**
 * Checks what the journals hold against what a proof says: pages in order, as many records as were promised, no uuid
 * missing, and every reference leads to a record.
 */
export async function checkContent(journalFolder: string, proof: Pick<Proof, 'kinds'>): Promise<Content> {
  const references = createReferenceCheck();
  const faults = new Map<Kind, string[]>();
  const kinds = new Map<Kind, KindContent>();
  try {
    for (const kind of READING_ORDER) {
      const expected = proof.kinds.find((one) => one.kind === kind);
      if (!expected) continue;
      const reading = await readKind(journalPath(journalFolder, kind), expected, references.see);
      kinds.set(kind, reading.content);
      faults.set(kind, reading.faults);
    }
  } catch (error) {
    if (!(error instanceof JournalDamageError || error instanceof FolderError || isMissing(error)))
      throw error;
    return { problems: [error.message], kinds, references: 0, unchecked: [] };
  }
  const { unresolved, resolved, unchecked } = references.finish([...kinds.keys()]);
  const problems = [...KINDS.flatMap((kind) => faults.get(kind) ?? []), ...unresolved];
  return { problems, kinds, references: resolved, unchecked };
}

function isMissing(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function readKind(
  path: string,
  { kind, pages, rows, unique_uuids, count, moved }: Proof['kinds'][number],
  see: ReturnType<typeof createReferenceCheck>['see'],
): Promise<{ content: KindContent; faults: string[] }> {
  const journal = createCounter();
  const records = createCounter();
  const known = new Set(RECORD_FIELDS[kind]);
  const extraFields = new Set<string>();
  const uuids = new Set<string>();
  const faults: string[] = [];
  let page = 0;
  let found = 0;
  for await (const { entry, line, lines, start } of readJournal(path)) {
    journal.add(line);
    if (entry.entry !== 'page') continue;
    page += 1;
    if (entry.page !== page) faults.push(`page ${entry.page} stands where page ${page} should`);
    found += lines.length;
    for (const [index, recordLine] of lines.entries()) {
      journal.add(recordLine);
      records.add(recordLine);
      const record = parseRecord({ line: recordLine, path, start, skip: index });
      uuids.add(record.uuid);
      see(kind, record);
      for (const field in record) if (!known.has(field)) extraFields.add(field);
    }
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
    content: { journal: journal.total(), lines: records.total(), extraFields: [...extraFields] },
    faults: faults.map((fault) => `${COLLECTIONS[kind]}: ${fault}`),
  };
}

/** Counts and hashes bytes. */
function createCounter() {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    add(line: Buffer): void {
      hash.update(line);
      bytes += line.length;
    },
    total: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}
