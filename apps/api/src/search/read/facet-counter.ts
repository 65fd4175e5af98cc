import type { Kind, Language } from '@archiefkast/types/kinds';
import { Cache, TOO_LARGE } from '../../cache.ts';
import type { CountedValue, FacetName } from '../fields/facets.ts';
import { RELATIONS, relationNamed } from '../fields/relations.ts';
import { searchField } from '../fields/search-fields.ts';
import type { OpenIndex } from './read-index.ts';
import { firstOf, hitsIn } from './scores.ts';

/** The distinct values of a field, and which of them each record has. */
interface CodedColumn {
  /** The index in `values` for each row. */
  codes: Uint32Array;
  values: { folded: string; shown: string }[];
}

export function createFacetCounter({ records, tables, columns }: OpenIndex) {
  const coded = new Cache<CodedColumn>(TOO_LARGE, ({ codes }) => codes.byteLength);

  /** The document numbers of the locations of events. */
  function locationsOf(events: Uint32Array): Uint32Array {
    const { sources, targets } = tables.pairs(relationNamed('event.location'));
    const locationOf = new Uint32Array(records.total).fill(records.total);
    for (let at = 0; at < sources.length; at++) locationOf[sources[at] ?? 0] = targets[at] ?? 0;
    return events.map((doc) => locationOf[doc] ?? 0);
  }

  function countKinds(hits: Uint32Array): CountedValue[] {
    return records.spans.flatMap(({ kind, start, records: ofKind }) => {
      const count = hits.reduce((sum, doc) => (doc >= start && doc < start + ofKind ? sum + 1 : sum), 0);
      return count > 0 ? { value: kind, count } : [];
    });
  }

  function countColumns(hits: Uint32Array, facet: FacetName): Iterable<CountedValue> {
    const counted = new Map<string, CountedValue>();
    for (const kind of searchField(facet)?.kinds ?? []) {
      const { codes, values } = codedColumn(kind, facet);
      const { start, records: ofKind } = records.spanOf(kind);
      const counts = new Uint32Array(values.length);
      for (const doc of hits) {
        if (doc < start || doc >= start + ofKind) continue;
        const code = codes[doc - start] ?? 0;
        counts[code] = (counts[code] ?? 0) + 1;
      }
      for (const [code, { folded, shown }] of values.entries()) {
        const count = counts[code] ?? 0;
        if (count === 0 || folded === '') continue;
        for (const value of facet === 'century' ? folded.split(' ') : [folded]) {
          const known = counted.get(value);
          if (known) known.count += count;
          else counted.set(value, { value: facet === 'century' ? value : shown, count });
        }
      }
    }
    return counted.values();
  }

  /** The values of a field by code: those that fold to the same text have the same code. */
  function codedColumn(kind: Kind, name: string): CodedColumn {
    return coded.get(`${kind}.${name}`, () => {
      const [folded, shown] = [columns.folded(kind, name), columns.shown(kind, name)];
      const codeOf = new Map<string, number>();
      const column: CodedColumn = { codes: new Uint32Array(folded.length), values: [] };
      for (let row = 0; row < folded.length; row++) {
        const value = folded.valueAt(row);
        const code = codeOf.get(value) ?? codeOf.size;
        column.codes[row] = code;
        if (code < codeOf.size) continue;
        codeOf.set(value, code);
        column.values.push({ folded: value, shown: shown.valueAt(row) });
      }
      return column;
    });
  }

  /** The number of hits in each year of a date field: as many as a range of that year finds. */
  function countYears(hits: Uint32Array, kind: Kind, field: string): Map<number, number> {
    const column = columns.folded(kind, field);
    const { start, records: ofKind } = records.spanOf(kind);
    const counts = new Map<number, number>();
    for (const doc of hits) {
      if (doc < start || doc >= start + ofKind) continue;
      const value = column.valueAt(doc - start);
      if (value.length !== 'YYYY-MM-DD'.length) continue;
      const year = Number(value.slice(0, 4));
      counts.set(year, (counts.get(year) ?? 0) + 1);
    }
    return counts;
  }

  function countSubjects(hits: Uint32Array, language: Language, limit: number): CountedValue[] {
    const isHit = new Uint8Array(records.total);
    for (const doc of hits) isHit[doc] = 1;
    const { start, records: subjects } = records.spanOf('subject');
    const counts = new Uint32Array(subjects);
    for (const relation of RELATIONS) {
      if (relation.field !== 'subjects') continue;
      const { sources, targets } = tables.pairs(relation);
      for (let at = 0; at < sources.length; at++) {
        const row = (targets[at] ?? 0) - start;
        if (isHit[sources[at] ?? 0]) counts[row] = (counts[row] ?? 0) + 1;
      }
    }
    const mostFirst = (a: number, b: number) => (counts[b] ?? 0) - (counts[a] ?? 0);
    return firstOf(hitsIn(counts), limit, mostFirst).map((row) => ({
      value: columns.folded('subject', 'uuid').valueAt(row),
      count: counts[row] ?? 0,
      name:
        (language === 'en' && columns.shown('subject', 'name_en').valueAt(row)) ||
        columns.shown('subject', 'name_nl').valueAt(row),
    }));
  }

  return {
    countYears,

    /** Size of the codes, in bytes. */
    get byteLength(): number {
      return coded.byteLength;
    },

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
      if (facet === 'subject') return countSubjects(hits, language, limit);
      const ofFacet = facet === 'city' && areEvents ? locationsOf(hits) : hits;
      const counted = facet === 'kind' ? countKinds(hits) : countColumns(ofFacet, facet);
      return firstOf(counted, limit, (a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
    },
  };
}
