import type { RecordView } from '@archiefkast/formats/record-view';
import { type Page, recordPath } from '@archiefkast/site';
import { cardPage, oembedOf } from '@archiefkast/site/embed';
import { isLanguage, KINDS, PAGE_SEGMENTS, UUID_PATTERN } from '@archiefkast/types';
import { namingOf } from '../../../edition/identity.ts';
import { notesIn } from '../../../edition/notes.ts';
import { locationOf, type OpenRecordViews } from '../../../edition/record-views.ts';
import { findRecord, redirectToReplacement } from '../../find-record.ts';
import { queryOfEdition } from '../../headers.ts';
import { createPageOf } from '../../page.ts';
import { Problem } from '../../problems.ts';
import {
  type ArchiveRequest,
  fixedAnswer,
  HTML,
  plainRoute,
  type Route,
  type RouteDependencies,
} from '../../route.ts';

/** Records on pages of others: the card of each, which alone may be framed, and how such pages find it (oEmbed 1.0). */
export function embedRoutes(dependencies: RouteDependencies, openViews: OpenRecordViews): Route[] {
  const { baseUrl } = dependencies;
  return [
    {
      ...plainRoute('/embed/:uuid', 'Card of a record', HTML, async (request) => {
        const shown = await readCard(dependencies, openViews, request);
        if (shown) return { body: [cardPage(shown.page, shown.record, shown.location)] };
        const query = queryOfEdition(request.parameters);
        return redirectToReplacement(dependencies, request, undefined, ({ uuid }) => `./${uuid}${query}`);
      }),
      ...{ parameters: ['edition'], isFramed: true },
    },
    {
      ...plainRoute('/oembed', 'oEmbed', 'application/json', async (request) => {
        const { query } = request;
        const named = { ...request, ...recordNamed(dependencies, request) };
        const format = query.get('format') ?? 'json';
        if (format !== 'json')
          throw new Problem('format-not-offered', `The format ${format} is not offered.`, 'format=json');
        const room = { width: readPixels(query, 'maxwidth'), height: readPixels(query, 'maxheight') };
        const shown = await readCard(dependencies, openViews, named);
        if (shown) return fixedAnswer(JSON.stringify(oembedOf(shown.page, shown.record, room)));
        return redirectToReplacement(dependencies, named, named.kind, (replacement) => {
          const url = `${baseUrl}/${recordPath(named.language, replacement)}`;
          return `./oembed?${new URLSearchParams({ ...Object.fromEntries(query), url })}`;
        });
      }),
      ...{ atRoot: true, dependsOn: 'state' },
    },
  ];
}

/** The record that a request names in its segment `uuid`, and its page; undefined if the edition has no such record. */
async function readCard(
  dependencies: RouteDependencies,
  openViews: OpenRecordViews,
  request: ArchiveRequest & { kind?: RecordView['kind'] | undefined },
): Promise<{ page: Page; record: RecordView; location: RecordView | undefined } | undefined> {
  const { open, language, segment } = request;
  const key = await findRecord(dependencies, request, segment('uuid'));
  if (!key || key.kind !== (request.kind ?? key.kind)) return undefined;
  const views = openViews(open, language);
  const found = await views.findByUuid(key.kind, segment('uuid').toLowerCase());
  const { notes, location } = await views.look((relations) => ({
    notes: notesIn(open.edition.archive, relations, key),
    location: key.kind === 'event' ? locationOf(relations, key.position) : undefined,
  }));
  return found && { page: createPageOf(dependencies, request), record: { ...found.record, notes }, location };
}

/** The paths of a record: its page, its card, and the path that names it. */
const RECORD = new RegExp(
  `^/(?:id|(nl|en)/(embed|${Object.values(PAGE_SEGMENTS).join('|')}))/(${UUID_PATTERN})/?$`,
  'i',
);

/** The record, and the language, that the address in the parameter `url` names. @throws Problem if it is no address of a record of this archive */
function recordNamed(dependencies: RouteDependencies, { query, open, language }: ArchiveRequest) {
  const address = query.get('url') ?? '';
  const expected = 'url=<address of the page of a record>';
  if (address === '') throw new Problem('invalid-embed', 'Missing parameter "url".', expected);
  const { baseUrl, identity } = namingOf(open.edition.archive, dependencies);
  const paths = [baseUrl, identity].map((base) => RECORD.exec(pathBelow(base, address)));
  const [, written = '', name, uuid] = paths.find((path) => path) ?? [];
  if (uuid === undefined)
    throw new Problem('not-found', `No record of this archive at ${address}.`, expected);
  return {
    language: isLanguage(written) ? written : language,
    kind: KINDS.find((kind) => PAGE_SEGMENTS[kind] === name),
    segment: () => uuid,
  };
}

/** The path of an address below a base, without its query; empty if it is elsewhere. Both schemes of the web are the same. */
function pathBelow(base: string, address: string): string {
  const { protocol = '', host, pathname = '' } = URL.parse(address) ?? {};
  const own = new URL(base);
  const root = own.pathname.replace(/\/$/, '');
  const isBelow = /^https?:$/.test(protocol) && host === own.host && pathname.startsWith(`${root}/`);
  return isBelow ? pathname.slice(root.length) : '';
}

/** A number of pixels; undefined if the request names none. @throws Problem if it is none */
function readPixels(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (!text) return undefined;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Problem(
    'invalid-embed',
    `Invalid ${name} "${text}".`,
    `${name}=<a whole number of pixels, from 1>`,
  );
}
