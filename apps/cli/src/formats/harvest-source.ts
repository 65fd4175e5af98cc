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
import type { LooseRecord } from '../records/record-lines.ts';

/** The records of a harvest, read by formats. */
export interface HarvestSource {
  /** Folder of the journals. */
  journalFolder: string;
  /** The kinds that were harvested, in the order of `KINDS`. */
  kinds: readonly Kind[];
  /** The records of a kind as lines of JSON, a block for each page; valid until the next block is requested. */
  blocks(kind: Kind): AsyncGenerator<Buffer[], void, void>;
  /** Size and SHA-256 of a kind's lines, if they were computed during the walk. */
  lines(kind: Kind): HashedBytes | undefined;
  /** The records of a kind, in batches. */
  records(kind: Kind): AsyncGenerator<LooseRecord[], void, void>;
  /** Unknown fields of a kind's records, which a lenient harvest keeps. */
  extraFields(kind: Kind): Promise<readonly string[]>;
  /** Address, language and edition of the harvest. */
  walk(): Promise<WalkFile>;
}

/**
 * Creates the source of a harvest's records.
 *
 * @param known content of the records, if it was collected during the walk
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
      if (!walk) throw new FolderError(`${journalFolder} contains no walk file`);
      return walk;
    },
  };
}
