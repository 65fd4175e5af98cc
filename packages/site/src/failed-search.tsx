import type { Page } from './page.ts';
import { searchFrame } from './search-frame.tsx';

/**
 * The search page for an invalid query.
 *
 * @param fault the error, for readers, and what was expected
 * @param corrections the nearest valid queries
 */
export function failedSearchPage(
  page: Page,
  q: string,
  [fault, expected]: readonly [string, expected: string],
  corrections: readonly string[],
): string {
  return searchFrame(
    page,
    q,
    <div class="fault" role="alert">
      <p>{fault}</p>
      <p>{`${page.t.expected} ${expected}.`}</p>
      {corrections.length > 0 && (
        <p>
          {page.t.instead}{' '}
          {corrections.map((each) => (
            <a class="instead" href={page.linkWith({ q: each })} rel="nofollow">
              <code>{each}</code>
            </a>
          ))}
        </p>
      )}
    </div>,
  );
}
