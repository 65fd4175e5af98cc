/** What of a file or room is covered. */
interface Covered {
  total: number;
  covered: number;
}

const MEASURES = ['lines', 'branches', 'functions'] as const;
type Measure = (typeof MEASURES)[number];

/** The summary of c8 (json-summary): by absolute path, and in total. */
export type Summary = Readonly<Record<string, Readonly<Record<Measure, Covered>>>>;

/** Percentages of a room, with a decimal. */
export type RoomCoverage = Readonly<Record<Measure, number>>;

/** Rooms by name: `apps/api`, `packages/site`. */
export type Coverage = Readonly<Record<string, RoomCoverage>>;

/** Adds up the files of each workspace. */
export function coverageByRoom(summary: Summary): Coverage {
  const files = Object.entries(summary).flatMap(([path, file]) => {
    const [room] = /(?:apps|packages)\/[^/]+(?=\/src\/)/.exec(path) ?? [];
    return room === undefined ? [] : [{ room, file }];
  });
  const rooms = [...Map.groupBy(files, ({ room }) => room)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    rooms.map(([room, ofRoom]) => [
      room,
      Object.fromEntries(
        MEASURES.map((measure) => [measure, percentage(ofRoom.map(({ file }) => file[measure]))]),
      ),
    ]),
  ) as Coverage;
}

function percentage(counts: readonly Covered[]): number {
  const sum = (of: keyof Covered) => counts.reduce((all, count) => all + count[of], 0);
  return sum('total') === 0 ? 100 : Math.round((1_000 * sum('covered')) / sum('total')) / 10;
}

/** Most points by which the branches of a room may go down. */
const MOST_LOST = 1;

/** The rooms whose branches are covered by more than a point less than before, or which are gone, each as a sentence. */
export function lostCoverage(before: Coverage, now: Coverage): string[] {
  return Object.entries(before).flatMap(([room, { branches }]) => {
    const found = now[room]?.branches;
    if (found === undefined) return [`${room}: expected its coverage, which was not measured`];
    if (branches - found <= MOST_LOST) return [];
    return [
      `${room}: ${found} % of the branches are covered; expected at least ${(branches - MOST_LOST).toFixed(1)} %`,
    ];
  });
}

/** A table for a terminal. */
export function coverageTable(coverage: Coverage): string {
  const rows = Object.entries(coverage).map(([room, measured]) => [
    room.padEnd(20),
    ...MEASURES.map((measure) => `${measured[measure].toFixed(1)} %`.padStart(10)),
  ]);
  const head = ['room'.padEnd(20), ...MEASURES.map((measure) => measure.padStart(10))];
  return [head, ...rows].map((cells) => `${cells.join(' ')}\n`).join('');
}
