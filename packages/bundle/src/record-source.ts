import type { Kind } from '@archiefkast/types';
import type { ArchiveDescription } from './archive-description.ts';
import type { FaultList, Origin, Origins } from './faults.ts';

/** A record as its source has it: its value, which is not checked yet, or why it has none. */
export interface SourceRecord {
  /** Its line in the file, or the row of its table. */
  at: number;
  value: unknown;
  /** Number of characters from which the value was read. */
  length: number;
  /** Whether the name of the person was made of its parts. */
  isNamedByParts?: boolean;
  /** Why there is no value. */
  reason?: string;
}

/** The records of a bundle, whatever its form. */
export interface RecordSource extends Origins {
  archive: ArchiveDescription | undefined;
  /** Where that is, or would be. */
  archiveAt: Origin;
  /** The folder whose files may have pages of the archive. */
  folder?: string | undefined;
  /** Kinds whose table cannot be read; references to them are not checked. */
  unread: readonly Kind[];
  /** The file `supplement.jsonl`, if the form may have one. */
  supplement?: string;
  /**
   * The records of a kind, in order. May be read several times.
   *
   * @param faults faults of the form are added to it, such as those of cells that have no value
   */
  records(kind: Kind, faults: FaultList): AsyncIterable<SourceRecord>;
  close(): void;
}
