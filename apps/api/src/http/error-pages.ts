import { nearestName } from '@archiefkast/bundle/nearest-name';
import { recordPath, type SiteSettings } from '@archiefkast/site';
import { noCardPage } from '@archiefkast/site/embed';
import { errorPage, notFoundPage } from '@archiefkast/site/errors';
import {
  isLanguage,
  KINDS,
  kindOfCollection,
  LANGUAGES,
  type Language,
  PAGE_SEGMENTS,
  UUID_PATTERN,
} from '@archiefkast/types';
import type { Context } from 'koa';
import type { EditionsInUse } from '../edition/follow-editions.ts';
import { isFramed, preferredLanguage } from './headers.ts';
import { createPageOf } from './page.ts';
import { PROBLEMS, type Problem } from './problems.ts';

/** A problem as a page in the language of the reader. For an unknown address, it suggests the nearest known one. */
export function errorPageOf(
  context: Context,
  { status, problem }: Problem,
  editions: EditionsInUse,
  settings: SiteSettings,
): string {
  const { path } = context;
  const [, segment = ''] = path.split('/', 2);
  const language = isLanguage(segment) ? segment : preferredLanguage(context);
  const page = createPageOf(settings, { language, path, served: editions.current() });
  if (isFramed(context)) return noCardPage(page, PROBLEMS[problem]);
  return status === 404
    ? notFoundPage(page, nearestPage(path, language, settings.hasPages))
    : errorPage(page, { name: problem, ...PROBLEMS[problem] });
}

/** The paths of the documentation, which exist for every archive. */
const DOCUMENT_PATHS = [...LANGUAGES.map((language) => `${language}/docs`), 'docs', 'openapi.json'];

/** The paths of the front pages, search and lists. */
const PAGE_PATHS = LANGUAGES.flatMap((language) =>
  ['', 'zoeken/', ...Object.values(PAGE_SEGMENTS).map((segment) => `${segment}/`)].map(
    (path) => `${language}/${path}`,
  ),
);

/** The path of the page nearest to an unknown address: that of a record, or a known one. Undefined if none is near. */
function nearestPage(path: string, language: Language, hasPages: boolean): string | undefined {
  const known = hasPages ? [...PAGE_PATHS, ...DOCUMENT_PATHS] : DOCUMENT_PATHS;
  return (
    (hasPages ? nearestRecord(path, language) : undefined) ?? nearestName(path.slice(1).toLowerCase(), known)
  );
}

const RECORD = new RegExp(`^/(?:([a-z]{2})/)?(?:api/)?([a-z]+)/(${UUID_PATTERN})/?$`, 'i');

function nearestRecord(path: string, language: Language): string | undefined {
  const [, given = '', collection = '', uuid = ''] = RECORD.exec(path) ?? [];
  const name = collection.toLowerCase();
  const nearest = nearestName(name, Object.values<string>(PAGE_SEGMENTS));
  const kind = kindOfCollection(name) ?? KINDS.find((one) => PAGE_SEGMENTS[one] === nearest);
  if (!kind) return undefined;
  const page = recordPath(isLanguage(given) ? given : language, { kind, uuid: uuid.toLowerCase() });
  return `/${page}` === path ? undefined : page;
}
