/** The target of a measured value: at least or at most a number. */
export interface Aim {
  bound: 'least' | 'most';
  value: number;
}

export type Unit =
  | 'requests/s'
  | 'records/s'
  | 'records/s of CPU'
  | 'ms'
  | 'ms of CPU'
  | 's'
  | 's of CPU'
  | 'MB'
  | 'of the first'
  | 'of the limit'
  | 'of the requests'
  | 'of update and publish'
  | 'times'
  | 'times Django'
  | 'times the small place'
  | 'times the walk';

/** Units of which more is better. */
const MORE_IS_BETTER: readonly Unit[] = [
  'requests/s',
  'records/s',
  'records/s of CPU',
  'of the limit',
  'times Django',
];

/** A row of the table: what is measured of an archive. */
export interface Row {
  what: string;
  unit: Unit;
  aim?: Aim;
  /** The aim holds for archives of so many records and more. */
  aimFrom?: number;
  /** How good a build may be in comparison with another one before it is called worse: 1 is as good. */
  noWorse: number;
}

const atLeast = (value: number): Aim => ({ bound: 'least', value });
const atMost = (value: number): Aim => ({ bound: 'most', value });

/** Scenarios that can be measured alone. */
export const SCENARIOS = ['publish', 'cold', 'light', 'search', 'hot', 'harvest', 'follow'] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** Kinds of queries, with the most CPU time that one of them may take in milliseconds. */
export const SHAPES = {
  last_name: 5,
  city: 5,
  title: 5,
  'any word': 30,
  'phrase of common words': 100,
  'prefix of three letters': 60,
  'word of two letters': undefined,
  facets: 40,
} as const;
export type Shape = keyof typeof SHAPES;

/** Archives of which 100 changed records are few, and a harvest takes much longer than the start of a program. */
const LARGE = 100_000;

type Rest = Partial<Omit<Row, 'what' | 'unit'>>;

const row = (what: string, unit: Unit, { noWorse = 1, ...rest }: Rest = {}): Row => ({
  what,
  unit,
  noWorse,
  ...rest,
});

/** A row of sizes, which hardly vary: what differs by less than a hundredth is as good. */
const size = (what: string, aim?: Aim, rest: Rest = {}) =>
  row(what, 'MB', { noWorse: 0.99, ...(aim && { aim }), ...rest });

const publish = (what: string, memory?: Aim) => [
  row(what, 's'),
  row(what, 's of CPU'),
  size(`${what}: memory`, memory),
];

const cold = (what: string) => [
  row(`cold: ${what}`, 'requests/s', { noWorse: 0.95 }),
  row(`cold: ${what}`, 'ms of CPU', { noWorse: 0.95 }),
];

const hot = (what: string, ofLimit: number) => [
  row(what, 'requests/s', { noWorse: 0.97 }),
  row(what, 'ms of CPU', { noWorse: 0.97 }),
  row(what, 'of the limit', { aim: atLeast(ofLimit) }),
];

/** All rows, in the order of the table, with their aims. */
export const ROWS: readonly Row[] = [
  ...publish('first publish', atMost(300)),
  size('first publish: written'),
  size('database'),
  size('derived files'),
  row('database of all editions', 'of the first', { aim: atMost(1.4) }),
  row('unchanged publish', 's', { aim: atMost(1.5) }),
  row('unchanged publish', 's of CPU'),
  size('unchanged publish: written', atMost(0.1)),
  ...publish('publish of 100 changed', atMost(300)),
  row('publish of 100 changed, CPU', 'of the first', { aim: atMost(0.35), aimFrom: LARGE }),
  size('publish of 100 changed: written'),
  size('publish of 100 changed: growth of the database', atMost(30), { aimFrom: LARGE }),
  row('start-up', 's'),
  ...cold('persons'),
  row('cold: persons, Django', 'ms of CPU'),
  row('cold: persons, CPU', 'times Django', { aim: atLeast(10) }),
  ...cold('events'),
  row('cold: events, Django', 'ms of CPU'),
  row('cold: events, CPU', 'times Django', { aim: atLeast(10) }),
  ...cold('pages of persons for people'),
  row('light list at a small place', 'ms of CPU'),
  row('light list at a busy place', 'ms of CPU'),
  row('light list at a busy place', 'times the small place', { aim: atMost(1.1) }),
  row('last page against first', 'times', { aim: atMost(1.2) }),
  ...Object.entries(SHAPES).flatMap(([shape, most]) => [
    row(`search: ${shape}`, 'ms'),
    row(`search: ${shape}`, 'ms of CPU', most === undefined ? {} : { aim: atMost(most) }),
    row(`search: ${shape}, 4 clients`, 'ms'),
  ]),
  row('search: refused, 4 clients', 'of the requests', { aim: atMost(0) }),
  ...hot('hot: persons', 0.95),
  ...hot('hot: events', 0.95),
  ...hot('304', 0.85),
  row('plain walk of persons', 's'),
  row('harvest of persons', 's'),
  row('harvest of persons', 's of CPU'),
  row('harvest of persons', 'times the walk', { aim: atMost(1.15), aimFrom: LARGE }),
  row('harvest of persons from dumps', 's'),
  row('harvest of persons from dumps', 's of CPU'),
  row('harvest of persons from dumps', 'times the walk', { aim: atMost(0.35), aimFrom: LARGE }),
  size('harvest of persons: memory'),
  row('OAI-PMH', 'records/s', { aim: atLeast(2_000), aimFrom: LARGE }),
  row('OAI-PMH', 'records/s of CPU'),
  row('archive.nt.gz', 'records/s', { aim: atLeast(5_000), aimFrom: LARGE }),
  row('archive.nt.gz', 'records/s of CPU'),
  size('server: memory', atMost(420)),
  ...publish('first follow'),
  ...publish('follow of 100 changed', atMost(300)),
  row('follow of 100 changed, CPU', 'of update and publish', { aim: atMost(1.3), aimFrom: LARGE }),
  row('harvest --update of 100 changed', 's of CPU'),
  size('harvest --update of 100 changed: memory'),
];

/** Whether a measured value misses the aim of a row. */
export function missesAim({ aim, aimFrom = 0 }: Row, records: number, measured: number): boolean {
  if (!aim || records < aimFrom) return false;
  return aim.bound === 'least' ? measured < aim.value : measured > aim.value;
}

/** The aim of a row as shown in the table. */
export function showAim({ aim, aimFrom }: Row): string {
  if (!aim) return '';
  const shown = `${aim.bound === 'least' ? '≥' : '≤'} ${aim.value}`;
  return aimFrom === undefined ? shown : `${shown} from ${aimFrom.toLocaleString('en')} records`;
}

/** How many times as good a value is as the one before. */
export function timesAsGood({ unit }: Row, before: number, now: number): number {
  if (before === now) return 1;
  return MORE_IS_BETTER.includes(unit) ? now / before : before / now;
}
