import type { Kind } from '@archiefkast/types';
import { type Dump, fileNameOf } from './dump-names.ts';

/** A record by what it is known as outside of the database. */
export interface RecordName {
  kind: Kind;
  id: number;
  uuid: string;
}

/** A dump cannot be made, for one of its records cannot be written in its form. `cause` says why. */
export class UnwritableRecordError extends Error {
  override name = 'UnwritableRecordError';
  /** Name of the dump's file. */
  readonly file: string;
  readonly record: RecordName;

  constructor(dump: Pick<Dump, 'kind' | 'format'>, record: RecordName, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const { kind, id, uuid } = record;
    super(`${fileNameOf(dump)}: the ${kind} ${id} (${uuid}) cannot be written: ${reason}`, {
      cause,
    });
    this.file = fileNameOf(dump);
    this.record = record;
  }
}
