import { join } from 'node:path';
import {
  FolderError,
  JOURNAL_FOLDER,
  JournalDamageError,
  journalPath,
  readJournal,
} from '@archive/client/node';
import { COLLECTIONS, type Kind } from '@archive/types';
import { findRecords, parseRecord, placedRecords } from '../records/placed-records.ts';
import { fileProof } from './make-proof.ts';
import type { Proof } from './proof-file.ts';
import { referencesOf } from './references.ts';

/** What a verification found. */
export interface Verification {
  /** What is wrong, in sentences; empty when everything is as the proof says. */
  problems: string[];
  /** Kinds that were not harvested, so that references to them could not be checked. */
  unchecked: Kind[];
  /** References that were checked. */
  references: number;
}

/** References to nothing that are named one by one; more are counted. */
const NAMED_REFERENCES = 10;

/** Checks a harvest against its proof, without asking the server. */
export async function verifyFolder(folder: string, proof: Proof): Promise<Verification> {
  const problems = await verifyFiles(folder, proof);
  const keys = new Map<Kind, Set<string>>();
  try {
    for (const kind of proof.kinds) {
      const { found, faults } = await verifyKind(folder, kind);
      keys.set(kind.kind, found);
      problems.push(...faults);
    }
    const { unresolved, unchecked, references } = await verifyReferences(folder, keys);
    problems.push(...unresolved);
    return { problems, unchecked, references };
  } catch (error) {
    if (!(error instanceof JournalDamageError) && !(error instanceof FolderError)) throw error;
    return { problems: [...problems, error.message], unchecked: [], references: 0 };
  }
}

async function verifyFiles(folder: string, { files }: Proof): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, bytes, sha256 } of files) {
    try {
      const found = await fileProof(join(folder, name), name);
      if (found.bytes !== bytes) problems.push(`${name}: ${found.bytes} bytes, not ${bytes}`);
      else if (found.sha256 !== sha256) problems.push(`${name}: its content is not what was written`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
      problems.push(`${name}: cannot be read (${error.message})`);
    }
  }
  return problems;
}

/** Checks the pages and records of one kind; finds the keys by which records name them. */
async function verifyKind(
  folder: string,
  { kind, pages, rows, unique_uuids, count, moved }: Proof['kinds'][number],
): Promise<{ found: Set<string>; faults: string[] }> {
  const path = journalPath(join(folder, JOURNAL_FOLDER), kind);
  const found = new Set<string>();
  const uuids = new Set<string>();
  const faults: string[] = [];
  let page = 0;
  let records = 0;
  for await (const { entry, lines, start } of readJournal(path)) {
    if (entry.entry !== 'page') continue;
    page += 1;
    if (entry.page !== page) faults.push(`page ${entry.page} stands where page ${page} should`);
    records += lines.length;
    for (const line of lines) {
      const record = parseRecord({ line, path, start });
      uuids.add(record.uuid);
      found.add(record.uuid);
      if (kind === 'subject') found.add(String(record['id']));
    }
  }
  const expectations: [string, number, number][] = [
    ['pages', page, pages],
    ['records', records, rows],
    ['different uuids', uuids.size, unique_uuids],
  ];
  if (moved.length === 0) expectations.push(['records, as many as promised,', records, count]);
  for (const [what, is, should] of expectations) {
    if (is !== should) faults.push(`${is} ${what} where there should be ${should}`);
  }
  return { found, faults: faults.map((fault) => `${COLLECTIONS[kind]}: ${fault}`) };
}

async function verifyReferences(folder: string, keys: ReadonlyMap<Kind, ReadonlySet<string>>) {
  const unresolved: string[] = [];
  const unchecked = new Set<Kind>();
  let references = 0;
  let failures = 0;
  for (const kind of keys.keys()) {
    const file = await findRecords(folder, kind);
    if (!file) continue;
    for await (const placed of placedRecords(file)) {
      const record = parseRecord(placed);
      for (const { field, kind: target, key } of referencesOf(kind, record)) {
        const known = keys.get(target);
        if (!known) unchecked.add(target);
        else if (known.has(key)) references += 1;
        else if (++failures <= NAMED_REFERENCES) {
          unresolved.push(`${COLLECTIONS[kind]}: ${record.uuid}: ${field}: there is no ${target} ${key}`);
        }
      }
    }
  }
  if (failures > NAMED_REFERENCES)
    unresolved.push(`and ${failures - NAMED_REFERENCES} more references to nothing`);
  return { unresolved, unchecked: [...unchecked], references };
}
