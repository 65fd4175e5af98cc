import {
  FolderError,
  journalPath,
  readJournal,
  readWalkFile,
  recordFields,
  type WalkFile,
} from '@archiefkast/client/node';
import type { Kind } from '@archiefkast/types';
import type { HashedBytes, KindContent } from '../proof/kind-content.ts';
import type { LooseRecord } from '../records/placed-records.ts';

/** The records of a harvest, as formats read them. */
export interface HarvestSource {
  /** Where the journals lie. */
  journalFolder: string;
  /** The kinds that were harvested, in the order of `KINDS`. */
  kinds: readonly Kind[];
  /** The records of a kind as lines of JSON with their line feeds, those of a page in one piece; good until the next are asked for. */
  blocks(kind: Kind): AsyncGenerator<Buffer[], void, void>;
  /** What proves the lines of a kind's records, where they were gathered while they came. */
  lines(kind: Kind): HashedBytes | undefined;
  /** The records of a kind, some at a time. */
  records(kind: Kind): AsyncGenerator<LooseRecord[], void, void>;
  /** The fields of a kind's records that the contract does not know, which a lenient harvest keeps. */
  extraFields(kind: Kind): Promise<readonly string[]>;
  /** What was harvested: address, language, edition. */
  walk(): Promise<WalkFile>;
}

/**
 * The records that a harvest's journals hold.
 *
 * @param known what was gathered of the records while they came
 */
export function createHarvestSource(
  journalFolder: string,
  kinds: readonly Kind[],
  known: ReadonlyMap<Kind, Pick<KindContent, 'extraFields' | 'lines'>> = new Map(),
): HarvestSource {
  async function* blocks(kind: Kind): AsyncGenerator<Buffer[], void, void> {
    const path = journalPath(journalFolder, kind);
    for await (const { block } of readJournal(path, 0, true)) yield [block];
  }

  async function* records(kind: Kind): AsyncGenerator<LooseRecord[], void, void> {
    const path = journalPath(journalFolder, kind);
    for await (const { lines } of readJournal(path, 0, true))
      yield lines.map((line) => JSON.parse(line.toString()));
  }

  async function findExtraFields(kind: Kind): Promise<ReadonlySet<string>> {
    const contract = new Set(recordFields(kind));
    const extra = new Set<string>();
    for await (const some of records(kind)) {
      for (const field of some.flatMap(Object.keys)) if (!contract.has(field)) extra.add(field);
    }
    return extra;
  }

  return {
    journalFolder,
    kinds,
    blocks,
    lines: (kind) => known.get(kind)?.lines(),
    records,
    extraFields: async (kind) => [...(known.get(kind)?.extraFields ?? (await findExtraFields(kind)))],
    async walk() {
      const walk = await readWalkFile(journalFolder);
      if (!walk) throw new FolderError(`${journalFolder} does not say what was harvested`);
      return walk;
    },
  };
}
