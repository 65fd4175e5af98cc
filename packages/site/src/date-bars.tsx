import type { Children } from './jsx-runtime.ts';
import type { Page } from './page.ts';

/** The years from `start` up to and including `end`, the number of records with a date in them, and the query for these. */
export interface DateBar {
  start: number;
  end: number;
  count: number;
  q: string;
}

/** The box of a bar: one unit of its height is a pixel. */
const HEIGHT = 96;
const WIDTH = 16;

/**
 * Records through time: a bar for each part, which links to its records; nothing for one bar.
 *
 * @param total number of all records; those without a day are said to be missing
 */
export function dateBars(page: Page, bars: readonly DateBar[], total: number): Children {
  if (bars.length < 2) return null;
  const top = niceCeiling(Math.max(...bars.map(({ count }) => count)));
  const undated = total - bars.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <div class="timeline-chart">
        <p class="axis" aria-hidden="true">
          {[top, top / 2, 0].map((value) => (
            <span>{page.number(value)}</span>
          ))}
        </p>
        <ol class="decades">
          {bars.map(({ start, end, count, q }) => {
            const height = Math.round(count === 0 ? 0 : Math.max(1, (HEIGHT * count) / top));
            const years = start === end ? String(start) : `${start}–${end}`;
            const title = `${years}: ${count}`;
            const href = page.linkToSearch({ q, sort: 'date' });
            const link = { href, title, 'aria-label': title, rel: 'nofollow' };
            const isLabelled = start % (5 * (end - start + 1)) === 0;
            return (
              <li>
                {count > 0 && (
                  <a {...link}>
                    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
                      <path d={`M1 ${HEIGHT - height}h${WIDTH - 2}v${height}H1z`} />
                    </svg>
                  </a>
                )}
                {isLabelled && (
                  <span class="year" aria-hidden="true">
                    {start}
                  </span>
                )}
              </li>
            );
          })}
        </ol>
      </div>
      {undated > 0 && <p class="small">{page.t.notInBars(page.number(undated), page.number(total))}</p>}
    </>
  );
}

/** The least number of the form 2, 4, 6, 10 or 20 times a power of ten that is not below a count, for an axis. */
function niceCeiling(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  const factor = [2, 4, 6, 10].find((each) => each * power >= count) ?? 20;
  return factor * power;
}
