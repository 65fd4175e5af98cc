import type { Children } from './jsx-runtime.ts';
import type { Page } from './page.ts';
import { searchFrame } from './search-frame.tsx';

/** The error of a query, for readers, and what was expected. */
export type SearchFault = readonly [fault: string, expected: string];

/** The search page for an invalid query without a correction. */
export function failedSearchPage(page: Page, q: string, fault: SearchFault): string {
  return searchFrame(page, q, faultNotice(page, fault));
}

/** What is wrong with a query. @param more what is shown in its place */
export function faultNotice({ t }: Page, [fault, expected]: SearchFault, more?: Children) {
  return (
    <div class="fault" role="alert">
      <p>{fault}</p>
      <p>{`${t.expected} ${expected}.`}</p>
      {more}
    </div>
  );
}
