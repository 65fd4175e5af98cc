import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { linkTo, type PageContext } from '../layout/page-context.ts';
import { FIND_TEXTS } from './find-texts.ts';

/** The kinds whose records can be put on a map. */
const MAPPED: readonly Kind[] = ['location', 'event'];

/** Links to all that was found as data: as JSON by pages; as CSV and on maps by kind, in one file each. */
export function AsData({
  page,
  query,
  counts,
}: {
  page: PageContext;
  /** What was asked, as the address of the page has it. */
  query: Readonly<Record<string, string>>;
  /** How many records of each kind were found. */
  counts: Readonly<Partial<Record<Kind, number>>>;
}) {
  const texts = FIND_TEXTS[page.language];
  const text = new URLSearchParams(query).toString();
  const address = (path: string) =>
    linkTo(page, `${page.language}/api/${path}${text === '' ? '' : `?${text}`}`);
  const found = KINDS.filter((kind) => counts[kind]);
  const forms = [
    { name: 'CSV', kinds: found, path: (kind: Kind) => `dump/${COLLECTIONS[kind]}.csv` },
    {
      name: 'GeoJSON',
      kinds: found.filter((kind) => MAPPED.includes(kind)),
      path: (kind: Kind) => `${COLLECTIONS[kind]}.geojson`,
    },
  ].filter(({ kinds }) => kinds.length > 0);
  return (
    <dl class="as-data small">
      <dt>{texts.asData}</dt>
      <dd>
        <a href={address('search')}>JSON</a>
      </dd>
      {forms.map(({ name, kinds, path }) => (
        <dd key={name}>
          {name}:{' '}
          {kinds.map((kind) => (
            <span key={kind}>
              <a href={address(path(kind))} aria-label={`${name}: ${texts.kinds[kind]}`}>
                {texts.kinds[kind].toLocaleLowerCase(page.language)}
              </a>{' '}
              <span class="count">{counts[kind]?.toLocaleString(page.language)}</span>
            </span>
          ))}
        </dd>
      ))}
    </dl>
  );
}
