import type { PageContext } from '../layout/page-context.ts';
import { FIND_TEXTS } from './find-texts.ts';

/** Links to the previous and next page of a list; `query` has the other parameters of the address. */
export function Pager({
  page,
  number,
  last,
  query,
}: {
  page: PageContext;
  number: number;
  last: number;
  query: Readonly<Record<string, string>>;
}) {
  if (last <= 1) return null;
  const texts = FIND_TEXTS[page.language];
  const address = (to: number) => addressWith(page, { ...query, ...(to > 1 && { page: String(to) }) });
  return (
    <nav class="pager" aria-label={texts.pages}>
      {number > 1 && (
        <a rel="prev" href={address(number - 1)}>
          ← {texts.previous}
        </a>
      )}
      <span>{texts.page(number, last)}</span>
      {number < last && (
        <a rel="next" href={address(number + 1)}>
          {texts.next} →
        </a>
      )}
    </nav>
  );
}

/** The address of the same page with a query, in its edition. */
export function addressWith(
  { edition }: Pick<PageContext, 'edition'>,
  query: Readonly<Record<string, string>>,
): string {
  const text = new URLSearchParams({ ...query, ...(edition !== undefined && { edition }) }).toString();
  return `?${text}`;
}
