import type { Kind } from '@archiefkast/types/kinds';
import { fold } from '../fields/fold.ts';
import { type ArrayWriter, Numbers } from '../file/arrays.ts';
import { codesName } from '../file/index-file.ts';
import type { FieldWriter } from './field-writer.ts';

/**
 * Numbers the values of one field, record after record, so that hits can be counted by them: values that are folded
 * alike have one number.
 */
export class CodeWriter {
  readonly #kind: Kind;
  readonly #name: string;
  readonly #codes = new Numbers();
  /** The number of each value, as it is written and folded. */
  readonly #known = new Map<string, number>();
  readonly #values: FieldWriter;
  #size = 0;

  /** @param values takes each value once, in the order of their numbers */
  constructor(kind: Kind, name: string, values: FieldWriter) {
    this.#kind = kind;
    this.#name = name;
    this.#values = values;
  }

  /** Adds the next record's value. */
  add(value: string): void {
    this.#codes.push(this.#known.get(value) ?? this.#learn(value));
  }

  /** Writes the number of each record's value, and the values. */
  finish(arrays: ArrayWriter): void {
    arrays.write(codesName(this.#kind, this.#name), this.#codes.toArray());
    this.#values.flush();
  }

  #learn(value: string): number {
    const folded = fold(value);
    let code = this.#known.get(folded);
    if (code === undefined) {
      code = this.#size;
      this.#size += 1;
      this.#known.set(folded, code);
      this.#values.add(value);
    }
    this.#known.set(value, code);
    return code;
  }
}
