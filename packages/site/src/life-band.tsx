import { nameOf, type RecordView, sortedDateOf } from '@archiefkast/formats/record-view';
import type { DatedEvent, NumberedPlace } from './cards.tsx';
import type { Children } from './jsx-runtime.ts';
import type { Page } from './page.ts';
import { formatYear, recordPath } from './record.ts';

/** A person in the same events, with the number of these, and the dates of the first and the last that have one. */
export interface Companion {
  person: RecordView;
  events: number;
  first?: string | undefined;
  last?: string | undefined;
}

/** The box of the band: a unit is a pixel in a window that is wide enough. */
const WIDTH = 720;
const MARGIN = 24;
const AXIS = 34;
const PLACE_ROW = 16;
const COMPANION_ROW = 26;
const NUMBER_WIDTH = 20;

/** What readers of the screen have as lists and a table. */
const DECORATION = { 'aria-hidden': 'true' as const };

/** The most rows of places, and the most companions. */
const MOST_PLACE_ROWS = 6;
const MOST_COMPANIONS = 8;

/** Years between two marks of the axis. */
const MARKS = [1, 5, 10, 50, 100, 500];
const MOST_MARKS = 12;

/** The time of a date as a year with a fraction; of one that is not fully known, the middle; undefined for none. */
function timeOf(date: string | null | undefined): number | undefined {
  const known = (date ?? '').replace('XX', '50').replace('X', '5');
  const [, year, month = '07', day = '01'] = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?/.exec(known) ?? [];
  return year === undefined ? undefined : Number(year) + (Number(month) - 1) / 12 + Number(day) / 366;
}

/**
 * A life in one band: an axis of its years, a dot for each dated event, the places by their numbers at their first event, and the
 * companions from the first event to the last. Nothing if fewer than two dates are known, or no event has one.
 */
export function lifeBand(
  page: Page,
  person: RecordView,
  {
    events,
    places,
    companions,
  }: {
    events: readonly DatedEvent[];
    places: readonly NumberedPlace[];
    companions: readonly Companion[];
  },
): Children {
  const { t } = page;
  const times = events.map(({ event }) => timeOf(sortedDateOf(event))).filter((time) => time !== undefined);
  const ends = [person.birth_date, person.death_date].map(timeOf);
  const all = [...times, ...ends.filter((time) => time !== undefined)];
  const [from, to] = [Math.floor(Math.min(...all)), Math.ceil(Math.max(...all))];
  if (times.length === 0 || new Set(all).size < 2) return null;
  const xOf = (time: number) =>
    Math.round(MARGIN + ((time - from) / Math.max(1, to - from)) * (WIDTH - 2 * MARGIN));
  const { rows, numbers } = placeNumbers(places, xOf);
  const met = companions.flatMap((companion) => {
    const [first, last] = [timeOf(companion.first), timeOf(companion.last)];
    return first !== undefined && last !== undefined && last > first
      ? [{ ...companion, x: xOf(first), end: xOf(last) }]
      : [];
  });
  const shown = met.slice(0, MOST_COMPANIONS);
  const top = AXIS + 14 + rows * PLACE_ROW;
  const height = top + shown.length * COMPANION_ROW + 4;
  const undated = events.length - times.length;
  return (
    <>
      <section class="band" aria-label={t.lifeHelp} tabindex={0}>
        <svg viewBox={`0 0 ${WIDTH} ${height}`}>
          <title>{t.life}</title>
          <g {...DECORATION}>
            {marksOf(from, to).map((year) => (
              <text x={xOf(year)} y="14" text-anchor="middle">
                {year}
              </text>
            ))}
            <path class="axis-line" d={`M${xOf(from)} ${AXIS}H${xOf(to)}`} />
            <path
              class="ends"
              d={ends
                .map((time) => time !== undefined && `M${xOf(time)} ${AXIS - 10}v20`)
                .filter(Boolean)
                .join('')}
            />
            <path class="dots" d={[...new Set(times.map(xOf))].map((x) => `M${x} ${AXIS}h0`).join('')} />
            {numbers.map(({ x, row, number }) => (
              <text class="number" x={x} y={AXIS + 22 + row * PLACE_ROW} text-anchor="middle">
                {number}
              </text>
            ))}
          </g>
          {shown.map(({ person: other, x, end }, row) => {
            const y = top + row * COMPANION_ROW;
            const isLeft = x < WIDTH / 2;
            return (
              <a href={page.link(recordPath(page.language, other))}>
                <text x={isLeft ? x : end} y={y + 12} text-anchor={isLeft ? 'start' : 'end'}>
                  {nameOf(other, page.language).text}
                </text>
                <path class="meeting" d={`M${x} ${y + 19}H${end}`} />
              </a>
            );
          })}
        </svg>
      </section>
      {shown.length > 0 && companionTable(page, shown)}
      {undated > 0 && <p class="small">{t.undatedEvents(undated)}</p>}
      {met.length > shown.length && <p class="small">{t.moreCompanions(met.length - shown.length)}</p>}
    </>
  );
}

/** The years with a mark on the axis. */
function marksOf(from: number, to: number): number[] {
  const step = MARKS.find((each) => (to - from) / each <= MOST_MARKS) ?? 1_000;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, at) => first + at * step);
}

/** The number of each place below its first dated event, in rows without overlaps. */
function placeNumbers(places: readonly NumberedPlace[], xOf: (time: number) => number) {
  const ends: number[] = [];
  const numbers: { x: number; row: number; number: number }[] = [];
  for (const { first, number } of places) {
    const time = timeOf(first);
    if (time === undefined) continue;
    const x = xOf(time);
    const row = Array.from({ length: MOST_PLACE_ROWS }, (_, at) => at).find(
      (at) => x - (ends[at] ?? -WIDTH) >= NUMBER_WIDTH,
    );
    if (row === undefined) continue;
    ends[row] = x;
    numbers.push({ x, row, number });
  }
  return { rows: ends.length, numbers };
}

/** What the bars show, for readers of the screen. */
function companionTable(page: Page, companions: readonly Companion[]) {
  const { t } = page;
  return (
    <div class="visually-hidden">
      <table>
        <caption>{t.companions}</caption>
        <thead>
          <tr>
            {[t.kinds.person.one, t.firstTogether, t.lastTogether].map((word) => (
              <th scope="col">{word}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {companions.map(({ person, first = '', last = '' }) => (
            <tr>
              <th scope="row">{nameOf(person, page.language).text}</th>
              <td>{formatYear(first, t)}</td>
              <td>{formatYear(last, t)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
