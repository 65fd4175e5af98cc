import { around, distance } from 'geokdbush';
import KDBush from 'kdbush';
import type { Coordinates } from '../file/records.ts';

/** Where locations are: plain data, which can be sent to another thread. */
export interface PlaceData extends Coordinates {
  /** The position of each location that has coordinates, ascending. */
  positions: Uint32Array<ArrayBuffer>;
  /** The tree of these, by longitude and latitude. */
  tree: ArrayBufferLike;
}

/** Puts locations into a tree. @param coordinates by position, from the first; NaN if unknown */
export function treeOfPlaces({ latitudes, longitudes }: Coordinates): PlaceData {
  const positions = Uint32Array.from(latitudes.keys(), (at) => at + 1).filter((position) =>
    Number.isFinite((latitudes[position - 1] ?? Number.NaN) + (longitudes[position - 1] ?? Number.NaN)),
  );
  const tree = new KDBush(positions.length);
  for (const position of positions) tree.add(longitudes[position - 1] ?? 0, latitudes[position - 1] ?? 0);
  tree.finish();
  return {
    ...{ positions, latitudes: latitudes.slice(), longitudes: longitudes.slice() },
    tree: tree.data,
  };
}

/** Creates the function that finds the locations nearest to one, nearest first, with their distance; none if it has no coordinates. */
export function createNear({ positions, tree: data, latitudes, longitudes }: PlaceData) {
  const tree = KDBush.from(data);
  const pointOf = (position: number) =>
    [longitudes[position - 1] ?? Number.NaN, latitudes[position - 1] ?? Number.NaN] as const;
  /** @param position that of a location */
  return (position: number, limit: number): { position: number; metres: number }[] => {
    const [longitude, latitude] = pointOf(position);
    if (!Number.isFinite(longitude + latitude)) return [];
    return around(tree, longitude, latitude, limit + 1)
      .map((at) => {
        const other = positions[at] ?? 0;
        return { position: other, metres: distance(longitude, latitude, ...pointOf(other)) * 1_000 };
      })
      .filter((place) => place.position !== position)
      .slice(0, limit);
  };
}
