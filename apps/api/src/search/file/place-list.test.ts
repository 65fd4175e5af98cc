import { expect, test } from 'vitest';
import { createRandom } from '../../../testing/random.ts';
import { PlaceList } from './place-list.ts';
import { NAME, PostingCursor } from './posting-cursor.ts';
import { PostingEncoder } from './posting-encoder.ts';
import { CHUNK_RECORDS, RecordSet } from './record-set.ts';

const random = createRandom(7);

interface Found {
  record: number;
  places: { place: number; column: number }[];
}

/** Random places, with numbers of one byte and of several. */
function somePlaces(): Found[] {
  let record = -1;
  return Array.from({ length: random.below(50) }, () => {
    record += 1 + random.below(random.pick([1, 3, 300]));
    let [place, column] = [-1, random.below(2) * random.below(6)];
    const places = Array.from({ length: 1 + random.below(random.pick([1, 5, 200])) }, () => {
      place += 1 + random.below(random.pick([1, 3, 70_000]));
      if (random.below(10) === 0) column = Math.min(5, column + random.below(3));
      return { place, column };
    });
    return { record, places };
  });
}

function encoded(found: readonly Found[]) {
  const encoder = new PostingEncoder();
  for (const { record, places } of found) {
    const columns = Uint8Array.from([9, ...places.map(({ column }) => column)]);
    encoder.write(
      record,
      Uint32Array.from([9, ...places.map(({ place }) => place)]),
      columns,
      1,
      columns.length,
    );
  }
  return encoder.posting;
}

function decoded({ length, records, ends, places, columns }: PlaceList): Found[] {
  return Array.from({ length }, (_, index) => ({
    record: records[index] ?? -1,
    places: Array.from(places.subarray(index === 0 ? 0 : ends[index - 1], ends[index]), (place, at) => ({
      place,
      column: columns[(index === 0 ? 0 : (ends[index - 1] ?? 0)) + at] ?? -1,
    })),
  }));
}

function recordsIn(stored: Uint8Array): number[] {
  const records = new Uint16Array(CHUNK_RECORDS);
  return [...records.subarray(0, new RecordSet().addAll(stored).list(records))];
}

test('postings are read as they were written', () => {
  const list = new PlaceList();
  for (let round = 0; round < 300; round++) {
    const found = somePlaces();
    const posting = encoded(found);
    expect(posting.count).toBe(found.length);
    expect(decoded(list.read(posting))).toEqual(found);

    const named = found.filter(({ places }) => places.some(({ column }) => column === NAME));
    expect(recordsIn(posting.named ?? new Uint8Array())).toEqual(named.map(({ record }) => record));

    const cursor = new PostingCursor().open(posting);
    for (const { record, places } of found) {
      expect(cursor.next()).toBe(true);
      expect([cursor.record, cursor.count]).toEqual([record, places.length]);
      for (let column = 0; column < 6; column++)
        expect(cursor.countIn(column)).toBe(places.filter((each) => each.column === column).length);
      const weights = Uint32Array.of(4, 1, 0, 16, 12, 2);
      const weight = places.reduce((sum, { column }) => sum + (weights[column] ?? 0), 0);
      expect(cursor.weigh(weights)).toBe(weight);
    }
    expect(cursor.next()).toBe(false);
  }
});

test('a word follows another where its place is the next', () => {
  const [one, other, both] = [new PlaceList(), new PlaceList(), new PlaceList()];
  let matches = 0;
  for (let round = 0; round < 300; round++) {
    const [before, after] = [somePlaces(), somePlaces()];
    const expected = before.flatMap(({ record, places }) => {
      const next = new Set(places.map(({ place }) => place + 1));
      const found = after
        .find((each) => each.record === record)
        ?.places.filter(({ place }) => next.has(place));
      return found?.length ? [{ record, places: found }] : [];
    });
    matches += expected.length;
    both.follow(one.read(encoded(before)), other.read(encoded(after)));
    expect(decoded(both)).toEqual(expected);
  }
  expect(matches).toBeGreaterThan(30);
});

test('an encoder starts again after clear', () => {
  const encoder = new PostingEncoder();
  encoder.write(5, Uint32Array.of(7), Uint8Array.of(2), 0, 1);
  encoder.clear();
  expect(encoder.posting).toMatchObject({ count: 0, records: new Uint8Array(0), places: new Uint8Array(0) });
});
