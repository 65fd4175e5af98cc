import { describeOrigin } from '@archiefkast/bundle';
import { COLLECTIONS, type Kind } from '@archiefkast/types';
import type { Source } from './open-sources.ts';

/** What was met in fields: by field, such as `persons.birth_date`, how often, and the first example. */
export class Tally extends Map<string, { count: number; example: string }> {
  add(kind: Kind, field: string, count: number, example: () => string): void {
    const name = `${COLLECTIONS[kind]}.${field}`;
    const known = this.get(name) ?? { count: 0, example: example() };
    this.set(name, { ...known, count: known.count + count });
  }
}

/** A text as an example, with its place. */
export function quoted(text: string, source: Source, row: number): string {
  return `"${text}" (${describeOrigin(source.place(row))})`;
}
