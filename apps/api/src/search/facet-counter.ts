import { KINDS, type Kind, type Language } from '@archive/types/kinds';
import { ByteLru } from '../byte-lru.ts';
import type { Arrays } from './arrays.ts';
import type { Columns } from './columns.ts';
import type { DocNumbers } from './doc-numbers.ts';
import { COLUMN_FACETS, type FacetName } from './facets.ts';
import { RELATIONS } from './relations.ts';

/** A value, and how many of the hits have it. */
export interface CountedValue {
  value: string;
  count: number;
  /** What the subject is called; of other facets, the value says it. */
  name?: string;
}

/** The values of a column by number. */
interface CodedColumn {
  /** The number of each row's value. */
  codes: Uint32Array;
  /** The first row that has each value. */
  firstRows: readonly number[];
  byteLength: number;
}

/** Bytes of coded columns that are kept. */
const CODED_BYTES = 8 * 2 ** 20;

/** Counts hits by the values that they have. */
export class FacetCounter {
  readonly #docs: DocNumbers;
  readonly #columns: Columns;
  readonly #arrays: Arrays;
  readonly #coded = new ByteLru<CodedColumn>(CODED_BYTES);

  constructor(docs: DocNumbers, columns: Columns, arrays: Arrays) {
    this.#docs = docs;
    this.#columns = columns;
    this.#arrays = arrays;
  }

  /** The values of a facet that most of the hits have, at most `limit`; of equal ones, by alphabet. */
  count(hits: Uint32Array, facet: FacetName, language: Language, limit: number): CountedValue[] {
    switch (facet) {
      case 'kind':
        return first(this.#countKinds(hits), limit);
      case 'subject':
        return this.#countSubjects(hits, language, limit);
      default:
        return first(this.#countColumns(hits, facet), limit);
    }
  }

  #countKinds(hits: Uint32Array): CountedValue[] {
    const ends = this.#docs.spans.map(({ start, records }) => start + records);
    const counts = new Uint32Array(KINDS.length);
    for (const doc of hits) {
      let kind = 0;
      while (doc >= (ends[kind] ?? Infinity)) kind += 1;
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return KINDS.map((value, kind) => ({ value, count: counts[kind] ?? 0 })).filter(({ count }) => count > 0);
  }

  #countColumns(hits: Uint32Array, facet: keyof typeof COLUMN_FACETS): CountedValue[] {
    const counts = new Map<string, number>();
    const shown = new Map<string, string>();
    for (const kind of COLUMN_FACETS[facet]) {
      const { codes, firstRows } = this.#codesOf(kind, facet);
      const { start, records } = this.#docs.spanOf(kind);
      const ofCodes = new Uint32Array(firstRows.length);
      for (const doc of hits) {
        if (doc < start || doc >= start + records) continue;
        const code = codes[doc - start] ?? 0;
        ofCodes[code] = (ofCodes[code] ?? 0) + 1;
      }
      for (const [code, row] of firstRows.entries()) {
        const count = ofCodes[code] ?? 0;
        const value = this.#columns.folded(kind, facet).valueAt(row);
        if (count === 0 || value === '') continue;
        for (const each of facet === 'century' ? value.split(' ') : [value]) {
          counts.set(each, (counts.get(each) ?? 0) + count);
          if (facet !== 'century' && !shown.has(each))
            shown.set(each, this.#columns.shown(kind, facet).valueAt(row));
        }
      }
    }
    return Array.from(counts, ([value, count]) => ({ value: shown.get(value) ?? value, count }));
  }

  #countSubjects(hits: Uint32Array, language: Language, limit: number): CountedValue[] {
    const isHit = new Uint8Array(this.#docs.total);
    for (const doc of hits) isHit[doc] = 1;
    const counts = new Uint32Array(this.#docs.spanOf('subject').records);
    for (const { name, source, field } of RELATIONS) {
      if (field !== 'subjects') continue;
      const { start } = this.#docs.spanOf(source);
      const [sources, targets] = [this.#arrays.words(`${name} source`), this.#arrays.words(`${name} target`)];
      for (let at = 0; at < sources.length; at++) {
        const row = targets[at] ?? 0;
        if (isHit[start + (sources[at] ?? 0)]) counts[row] = (counts[row] ?? 0) + 1;
      }
    }
    const rows = Array.from(counts.keys()).filter((row) => (counts[row] ?? 0) > 0);
    rows.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b);
    return rows.slice(0, limit).map((row) => ({
      value: this.#columns.folded('subject', 'uuid').valueAt(row),
      count: counts[row] ?? 0,
      name: this.#nameOf(row, language),
    }));
  }

  #nameOf(row: number, language: Language): string {
    const dutch = this.#columns.shown('subject', 'name_nl').valueAt(row);
    return (language === 'en' && this.#columns.shown('subject', 'name_en').valueAt(row)) || dutch;
  }

  #codesOf(kind: Kind, name: string): CodedColumn {
    return this.#coded.get(`${kind}.${name}`, () => {
      const column = this.#columns.folded(kind, name);
      const codes = new Uint32Array(column.length);
      const known = new Map<string, number>();
      const firstRows: number[] = [];
      for (let row = 0; row < column.length; row++) {
        const value = column.valueAt(row);
        let code = known.get(value);
        if (code === undefined) {
          code = firstRows.push(row) - 1;
          known.set(value, code);
        }
        codes[row] = code;
      }
      return { codes, firstRows, byteLength: codes.byteLength + firstRows.length * 8 };
    });
  }
}

/** Those of most hits, at most `limit`; of equal ones, by alphabet. */
function first(values: CountedValue[], limit: number): CountedValue[] {
  return values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, limit);
}
