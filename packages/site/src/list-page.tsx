import type { RecordView } from '@archiefkast/formats/record-view';
import { type Kind, PAGE_SEGMENTS } from '@archiefkast/types';
import { card, cardList, recordLink } from './cards.tsx';
import { type DateBar, dateBars } from './date-bars.tsx';
import { renderPage } from './layout.tsx';
import { mapOfAll } from './map.tsx';
import type { Page } from './page.ts';
import { recordPath } from './record.ts';

/** A first letter of names, the page of its first name, and the place of that name there, from 0. */
export interface Letter {
  letter: string;
  page: number;
  place: number;
}

interface KindData {
  kind: Kind;
  count: number;
  records: readonly RecordView[];
  /** The top of the hierarchy of subjects, each with some of those right below it. */
  tree?: readonly { subject: RecordView; narrower: readonly RecordView[] }[];
  pageNumber: number;
  lastPage: number;
  /** The page on which the names with a letter begin; missing if records are not ordered by name. */
  letters?: readonly Letter[];
  bars?: readonly DateBar[];
}

/** The records of a kind: by name with an index of letters, by date, or from the top of the hierarchy. */
export function kindPage(page: Page, data: KindData): string {
  const { kind, count, records, pageNumber, lastPage, letters = [], bars = [], tree = [] } = data;
  const title = page.t.kinds[kind].many;
  const here = letters.filter((each) => each.page === pageNumber);
  const idAt = (place: number): Record<string, string> => {
    const begun = here.find((each) => each.place === place);
    return begun ? { id: idOf(begun.letter) } : {};
  };
  const map = kind === 'location' && pageNumber === 1 ? mapOfAll(page, count) : undefined;
  return renderPage(page, {
    title: page.titled(title),
    description: `${title}: ${page.number(count)}`,
    translation: `${page.otherLanguage}/${PAGE_SEGMENTS[kind]}/`,
    query: pageNumber > 1 ? `?page=${pageNumber}` : '',
    children: (
      <main id="main" class="wide">
        <h1>
          {title} <span class="count">{page.number(count)}</span>
        </h1>
        {dateBars(page, bars, count)}
        {letters.length > 1 && (
          <nav class="letters" aria-label={page.t.letters}>
            <ul>
              {letters.map(({ letter, page: first }) => (
                <li>
                  <a href={`${page.linkWith(first > 1 ? { page: String(first) } : {})}#${idOf(letter)}`}>
                    {letter}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {map}
        {cardList(tree.map((branch) => branchCard(page, branch)))}
        {cardList(
          records.map((record, place) => card(page, record, { attributes: idAt(place), isSorted: true })),
        )}
        {pager(page, pageNumber, lastPage, {})}
      </main>
    ),
  });
}

/** A subject at the top, with those below it that have most records. */
function branchCard(page: Page, { subject, narrower }: NonNullable<KindData['tree']>[number]) {
  const more = (subject.branch?.narrower ?? 0) - narrower.length;
  return card(page, subject, {
    below: narrower.length > 0 && (
      <ul class="branch">
        {narrower.map((each) => (
          <li>
            {recordLink(page, each)} <span class="fact">{page.number(each.branch?.records ?? 0)}</span>
          </li>
        ))}
        {more > 0 && (
          <li>
            <a href={`${page.link(recordPath(page.language, subject))}#narrower`}>
              {page.t.more(page.number(more))}
            </a>
          </li>
        )}
      </ul>
    ),
  });
}

/** The id of the first name with a letter. */
function idOf(letter: string): string {
  return `letter-${letter.codePointAt(0)?.toString(16)}`;
}

/** Links to the previous and next page of a list; `query` has the other parameters of the address. */
export function pager(page: Page, number: number, last: number, query: Readonly<Record<string, string>>) {
  if (last <= 1) return null;
  const { t } = page;
  const link = (to: number) => page.linkWith({ ...query, ...(to > 1 && { page: String(to) }) });
  return (
    <nav class="pager" aria-label={t.pages}>
      {number > 1 && (
        <a rel="prev" href={link(number - 1)}>
          ← {t.previous}
        </a>
      )}
      <span>{t.pageOf(number, last)}</span>
      {number < last && (
        <a rel="next" href={link(number + 1)}>
          {t.next} →
        </a>
      )}
    </nav>
  );
}
