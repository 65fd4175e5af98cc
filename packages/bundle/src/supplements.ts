import { existsSync } from 'node:fs';
import { readTextLines } from '@archiefkast/system';
import {
  type Kind,
  type KnownDates,
  type PictureSize,
  type Supplement,
  supplementSchema,
} from '@archiefkast/types';
import { firstDayOf } from '@archiefkast/types/internal';
import { type FaultList, fileOf, parseJson } from './faults.ts';
import { reasonOf } from './field-schemas.ts';
import type { Records } from './records.ts';

/** Name of the file with what the records of the other files cannot say; a harvest writes it. */
export const SUPPLEMENT_FILE = 'supplement.jsonl';

/** The supplements of a bundle, which are in memory while it is published. */
export class Supplements {
  /** By uuid of the record. */
  readonly #lines = new Map<string, Supplement & { line: number }>();

  /** Reads the file at a path, if it exists. Adds its faults to `faults`. */
  static async read(path: string | undefined, faults: FaultList): Promise<Supplements> {
    const supplements = new Supplements();
    if (path === undefined || !existsSync(path)) return supplements;
    for await (const { text = '', number: line } of readTextLines(path)) {
      const refuse = (reason: string, field?: string) =>
        faults.add({ file: SUPPLEMENT_FILE, line, field, reason });
      const { value, reason } = parseJson(text);
      if (reason !== undefined) {
        refuse(reason);
        continue;
      }
      const { data, error } = supplementSchema.safeParse(value);
      for (const issue of error?.issues ?? []) refuse(reasonOf(issue), issue.path.join('.'));
      if (!data) continue;
      const other = supplements.#lines.get(data.uuid);
      if (other) refuse(`is a second supplement of the ${data.kind}; the first is at line ${other.line}`);
      supplements.#lines.set(data.uuid, { ...data, line });
    }
    return supplements;
  }

  /** The subjects of an event, if the file has them. */
  subjectsOf(event: string): readonly string[] | undefined {
    return this.#lines.get(event)?.subjects;
  }

  /** The sizes of the pictures of a record that the file has. */
  picturesOf(record: string): readonly PictureSize[] {
    return this.#lines.get(record)?.pictures ?? [];
  }

  /**
   * What is known of the dates of a record: `own`, from the record itself, and the dates of the file whose first day is
   * that of the record.
   *
   * @param differ called for each date of the file that says something else than the record
   */
  datesOf(
    record: { uuid: string },
    own: KnownDates,
    differ: (field: string, edtf: string, day: unknown) => void = () => {},
  ): KnownDates {
    const said = this.#lines.get(record.uuid)?.dates;
    if (!said) return own;
    const fields: Readonly<Record<string, unknown>> = { ...record };
    const dates: Record<string, string | undefined> = { ...own };
    for (const [field, edtf] of Object.entries(said)) {
      if (field in own || edtf === undefined) continue;
      if (firstDayOf(edtf) === fields[field]) dates[field] = edtf;
      else differ(field, edtf, fields[field]);
    }
    return dates;
  }

  /** Checks that the records and subjects of the supplements exist. Adds faults to `faults`. */
  check(records: Records, faults: FaultList): void {
    for (const { kind, uuid, subjects = [], line } of this.#lines.values()) {
      const require = (target: Kind, reference: string, field: string) => {
        if (records.find(target, reference)) return;
        const reason = `refers to the ${target} ${reference}, which is not in ${fileOf(target)}`;
        faults.add({ file: SUPPLEMENT_FILE, line, field, reason });
      };
      require(kind, uuid, 'uuid');
      for (const subject of subjects) require('subject', subject, 'subjects');
    }
  }
}
