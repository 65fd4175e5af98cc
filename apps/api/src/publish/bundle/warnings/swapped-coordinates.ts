/** Degrees: a location further from the middle of all is far, one nearer than half of it is near. */
const FAR = 20;

/** Locations from which the middle of an archive can be told. */
const ENOUGH = 3;

/** Finds locations whose latitude and longitude look swapped: far from the others as they are, near them swapped. */
export function createSwapCheck() {
  const latitudes: number[] = [];
  const longitudes: number[] = [];
  const lines: number[] = [];
  return {
    add(latitude: number, longitude: number, line: number): void {
      latitudes.push(latitude);
      longitudes.push(longitude);
      lines.push(line);
    },
    /** The lines of the locations that look swapped. */
    find(): number[] {
      if (lines.length < ENOUGH) return [];
      const [latitude, longitude] = [median(latitudes), median(longitudes)];
      const distance = (a: number, b: number) => Math.max(Math.abs(a - latitude), Math.abs(b - longitude));
      return lines.filter((_, place) => {
        const [a = 0, b = 0] = [latitudes[place], longitudes[place]];
        return distance(a, b) > FAR && distance(b, a) < FAR / 2;
      });
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
