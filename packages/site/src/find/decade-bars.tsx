import { linkTo, type PageContext } from '../layout/page-context.ts';
import { FIND_TEXTS } from './find-texts.ts';

/** A decade, and the number of its events. */
export interface Decade {
  /** Its first year. */
  start: number;
  count: number;
}

const HEIGHT = 90;
const WIDTH = 16;

/** The events of the archive by decade: a bar for each, which links to them. */
export function DecadeBars({ page, decades }: { page: PageContext; decades: readonly Decade[] }) {
  const texts = FIND_TEXTS[page.language];
  const most = Math.max(...decades.map(({ count }) => count));
  return (
    <ol class="decades">
      {decades.map(({ start, count }) => {
        // The square root makes decades with few events visible beside those with many.
        const height = count === 0 ? 0 : Math.max(2, Math.round(HEIGHT * Math.sqrt(count / most)));
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
  );
}
