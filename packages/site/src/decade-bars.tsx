import type { Children } from './jsx-runtime.ts';
import type { Page } from './page.ts';

/** A decade, and the number of its events. */
export interface Decade {
  start: number;
  count: number;
}

/** The box of a bar: one unit of its height is a pixel. */
const HEIGHT = 96;
const WIDTH = 16;

/** The events of the archive by decade: a bar for each, which links to them; nothing for one decade. */
export function decadeBars(page: Page, decades: readonly Decade[]): Children {
  if (decades.length < 2) return null;
  const top = niceCeiling(Math.max(...decades.map(({ count }) => count)));
  return (
    <div class="timeline-chart">
      <p class="axis" aria-hidden="true">
        {[top, top / 2, 0].map((value) => (
          <span>{page.number(value)}</span>
        ))}
      </p>
      <ol class="decades">
        {decades.map(({ start, count }) => {
          const end = start + 9;
          const height = count === 0 ? 0 : Math.max(1, (HEIGHT * count) / top);
          const query = { q: `kind:event date:${start}..${end}`, sort: 'date' };
          const title = `${start}–${end}: ${count}`;
          const link = count > 0 && { href: page.linkToSearch(query), title, rel: 'nofollow' };
          return (
            <li>
              <a {...link}>
                <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
                  <rect x="1" y={HEIGHT - height} width={WIDTH - 2} height={height} />
                </svg>
                <span class={start % 50 === 0 ? 'year' : 'visually-hidden'}>{start}</span>
                <span class="visually-hidden">
                  –{end}: {count}
                </span>
              </a>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** The least number of the form 2, 4, 6, 10 or 20 times a power of ten that is not below a count, for an axis. */
function niceCeiling(count: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, count)));
  const factor = [2, 4, 6, 10].find((each) => each * power >= count) ?? 20;
  return factor * power;
}
