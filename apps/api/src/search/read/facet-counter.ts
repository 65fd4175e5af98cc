import { KINDS, type Language } from '@archiefkast/types/kinds';
import { COLUMN_FACETS, type CountedValue, type FacetName } from '../fields/facets.ts';
import { RELATIONS, relationNamed } from '../fields/relations.ts';
import type { Arrays } from '../file/arrays.ts';
import type { Columns } from '../file/columns.ts';
import { codesName, type DocNumbers, valuesName } from '../file/index-file.ts';

/** Counts hits by value. */
export class FacetCounter {
  readonly #docs: DocNumbers;
  readonly #columns: Columns;
  readonly #arrays: Arrays;

  constructor(docs: DocNumbers, columns: Columns, arrays: Arrays) {
    this.#docs = docs;
    this.#columns = columns;
    this.#arrays = arrays;
  }

  /**
   * The most frequent values of a facet, at most `limit`; equal counts in alphabetical order.
   *
   * @param areEvents whether the query demands events, so that fields of locations mean those of their locations
   */
  count(
    hits: Uint32Array,
    facet: FacetName,
    { language, limit, areEvents }: { language: Language; limit: number; areEvents: boolean },
  ): CountedValue[] {
    switch (facet) {
      case 'city':
        return first(this.#countColumns(areEvents ? this.#locationsOf(hits) : hits, facet), limit);
      case 'kind':
        return first(this.#countKinds(hits), limit);
      case 'subject':
        return this.#countSubjects(hits, language, limit);
      default:
        return first(this.#countColumns(hits, facet), limit);
    }
  }

  /** The document numbers of the locations of events. */
  #locationsOf(events: Uint32Array): Uint32Array {
    const { sources, targets } = this.#arrays.pairs(relationNamed('event.location'));
    const [{ start, records }, locations] = [this.#docs.spanOf('event'), this.#docs.spanOf('location')];
    const locationOf = new Uint32Array(records).fill(this.#docs.total);
    for (let at = 0; at < sources.length; at++)
      locationOf[sources[at] ?? 0] = locations.start + (targets[at] ?? 0);
    return events.map((doc) => locationOf[doc - start] ?? this.#docs.total);
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
      const codes = this.#arrays.words(codesName(kind, facet));
      const values = this.#columns.folded(kind, valuesName(facet));
      const written = this.#columns.shown(kind, valuesName(facet));
      const { start, records } = this.#docs.spanOf(kind);
      const ofCodes = new Uint32Array(values.length);
      for (const doc of hits) {
        if (doc < start || doc >= start + records) continue;
        const code = codes[doc - start] ?? 0;
        ofCodes[code] = (ofCodes[code] ?? 0) + 1;
      }
      for (const [code, count] of ofCodes.entries()) {
        const value = count > 0 ? values.valueAt(code) : '';
        if (value === '') continue;
        for (const each of facet === 'century' ? value.split(' ') : [value]) {
          counts.set(each, (counts.get(each) ?? 0) + count);
          if (facet !== 'century' && !shown.has(each)) shown.set(each, written.valueAt(code));
        }
      }
    }
    return Array.from(counts, ([value, count]) => ({ value: shown.get(value) ?? value, count }));
  }

  #countSubjects(hits: Uint32Array, language: Language, limit: number): CountedValue[] {
    const isHit = new Uint8Array(this.#docs.total);
    for (const doc of hits) isHit[doc] = 1;
    const counts = new Uint32Array(this.#docs.spanOf('subject').records);
    for (const relation of RELATIONS) {
      if (relation.field !== 'subjects') continue;
      const { start } = this.#docs.spanOf(relation.source);
      const { sources, targets } = this.#arrays.pairs(relation);
      for (let at = 0; at < sources.length; at++) {
        const row = targets[at] ?? 0;
        if (isHit[start + (sources[at] ?? 0)]) counts[row] = (counts[row] ?? 0) + 1;
      }
    }
    return largest(counts, limit).map((row) => ({
      value: this.#columns.folded('subject', 'uuid').valueAt(row),
      count: counts[row] ?? 0,
      name: this.#nameOf(row, language),
    }));
  }

  #nameOf(row: number, language: Language): string {
    const dutch = this.#columns.shown('subject', 'name_nl').valueAt(row);
    return (language === 'en' && this.#columns.shown('subject', 'name_en').valueAt(row)) || dutch;
  }
}

/** Indexes of the `limit` largest numbers above 0, in descending order; equal ones by index. */
function largest(numbers: Uint32Array, limit: number): number[] {
  const places: number[] = [];
  let least = 0;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    if (number <= least) continue;
    places.splice(places.findLastIndex((other) => (numbers[other] ?? 0) >= number) + 1, 0, at);
    if (places.length > limit) places.pop();
    if (places.length === limit) least = numbers[places.at(-1) ?? 0] ?? 0;
  }
  return places;
}

/** The most frequent values, at most `limit`; equal counts in alphabetical order. */
function first(values: CountedValue[], limit: number): CountedValue[] {
  return values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, limit);
}
