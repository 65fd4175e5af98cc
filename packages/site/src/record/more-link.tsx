import { linkTo, type PageContext } from '../layout/page-context.ts';
import { RECORD_TEXTS } from './record-texts.ts';

/** Leads from the beginning of a long list to the whole, page by page. */
export function MoreLink({
  page,
  count,
  shown,
  q,
  sort,
}: {
  page: PageContext;
  count: number;
  shown: number;
  q: string;
  sort: string;
}) {
  if (count <= shown) return null;
  const query = new URLSearchParams({ q, sort });
  return (
    <p>
      <a href={linkTo(page, `${page.language}/zoeken/?${query}`)}>
        {RECORD_TEXTS[page.language].all(count.toLocaleString(page.language))}
      </a>
    </p>
  );
}
