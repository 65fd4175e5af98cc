import { type Kind, PAGE_SEGMENTS } from '@archiefkast/types';
import type { Children } from '#html/jsx-runtime';
import { LAYOUT_TEXTS, OTHER_LANGUAGE, renderPage } from '../layout/layout.tsx';
import type { PageContext } from '../layout/page-context.ts';
import { mapOfAll } from '../map/page-map.tsx';
import { Card } from '../record/card.tsx';
import type { ListedRecord } from '../record/page-record.ts';
import { type Decade, DecadeBars } from './decade-bars.tsx';
import { FIND_TEXTS } from './find-texts.ts';
import { addressWith, Pager } from './pager.tsx';

/** The content of a page with the records of a kind. */
export interface KindData {
  kind: Kind;
  count: number;
  records: readonly ListedRecord[];
  pageNumber: number;
  lastPage: number;
  /** The page on which the names with a letter begin; missing if records are not ordered by name. */
  letters?: readonly { letter: string; page: number }[];
  decades?: readonly Decade[];
}

/** The records of a kind: by name with an index of letters, by date, or from the top of the hierarchy. */
export function kindPage(page: PageContext, data: KindData): string {
  const { kind, count, records, pageNumber, lastPage, letters, decades } = data;
  const title = LAYOUT_TEXTS[page.language].kinds[kind];
  const own = pageNumber > 1 ? `?page=${pageNumber}` : '';
  const places = kind === 'location' && pageNumber === 1 ? mapOfAll(page, count) : undefined;
  return renderPage({
    page,
    title: [title, page.archiveName].filter(Boolean).join(' · '),
    description: `${title}: ${count.toLocaleString(page.language)}`,
    translation: `${OTHER_LANGUAGE[page.language]}/${PAGE_SEGMENTS[kind]}/`,
    query: own,
    styles: ['record.css', 'find.css', ...(places?.styles ?? [])],
    scripts: places?.scripts ?? [],
    children: (
      <main id="main" class="wide">
        <h1>
          {title} <span class="count">{count.toLocaleString(page.language)}</span>
        </h1>
        {decades && decades.length > 1 && <DecadeBars page={page} decades={decades} />}
        {letters && letters.length > 1 && <Letters page={page} letters={letters} pageNumber={pageNumber} />}
        {places?.map}
        <List>
          {records.map((record) => (
            <Card key={record.uuid} page={page} record={record} />
          ))}
        </List>
        <Pager page={page} number={pageNumber} last={lastPage} query={{}} />
      </main>
    ),
  });
}

function List({ children }: { children: Children }) {
  return <ul class="cards columns-3">{children}</ul>;
}

function Letters({
  page,
  letters,
  pageNumber,
}: {
  page: PageContext;
  letters: NonNullable<KindData['letters']>;
  pageNumber: number;
}) {
  return (
    <nav class="letters" aria-label={FIND_TEXTS[page.language].letters}>
      <ul>
        {letters.map(({ letter, page: first }) => (
          <li key={letter}>
            <a
              href={addressWith(page, first > 1 ? { page: String(first) } : {})}
              {...(first === pageNumber && { 'aria-current': 'page' as const })}
            >
              {letter}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
