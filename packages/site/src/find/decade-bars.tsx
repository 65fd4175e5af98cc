import { linkTo, type PageContext } from '../layout/page-context.ts';
import { FIND_TEXTS } from './find-texts.ts';

/** A decade, and the number of its events. */
export interface Decade {
  /** Its first year. */
  start: number;
  count: number;
}

/** The box of a bar: one unit of its height is a pixel. */
const HEIGHT = 96;
const WIDTH = 16;

/** The events of the archive by decade: a bar for each, which links to them. */
export function DecadeBars({ page, decades }: { page: PageContext; decades: readonly Decade[] }) {
  const texts = FIND_TEXTS[page.language];
  const most = Math.max(...decades.map(({ count }) => count));
  const top = niceCeiling(most);
  return (
    <div class="timeline-chart">
      <p class="axis" aria-hidden="true">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{value.toLocaleString(page.language)}</span>
        ))}
      </p>
      <ol class="decades">
        {decades.map(({ start, count }) => {
          const height = count === 0 ? 0 : Math.max(1, (HEIGHT * count) / top);
          const bar = (
            <>
              <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
                <rect x="1" y={HEIGHT - height} width={WIDTH - 2} height={height} />
              </svg>
              <span class={start % 50 === 0 ? 'year' : 'year between'}>{start}</span>
              <span class="visually-hidden">
                –{start + 9}: {count}
              </span>
            </>
          );
          const query = new URLSearchParams({ q: `kind:event date:${start}..${start + 9}`, sort: 'date' });
          return (
            <li key={start}>
              {count === 0 ? (
                <span>{bar}</span>
              ) : (
                <a
                  href={linkTo(page, `${page.language}/zoeken/?${query}`)}
                  title={`${texts.decade(start)}: ${count}`}
                >
                  {bar}
                </a>
              )}
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
