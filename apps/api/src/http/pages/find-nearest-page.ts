import {
  isLanguage,
  KINDS,
  kindOfCollection,
  type Language,
  PAGE_SEGMENTS,
  UUID_PATTERN,
} from '@archiefkast/types';
import { nearestName } from '../../nearest-name.ts';

const RECORD = new RegExp(`^/(?:([a-z]{2})/)?(?:api/)?([a-z]+)/(${UUID_PATTERN})/?$`, 'i');

/**
 * The path below the base URL of the page that a wrong address most likely means: that of a record whose address is
 * nearly right, or one of `pages`. Undefined when none is near.
 */
export function findNearestPage(
  path: string,
  language: Language,
  pages: readonly string[],
  hasPages: boolean,
): string | undefined {
  return (
    (hasPages ? nearestRecord(path, language) : undefined) ?? nearestName(path.slice(1).toLowerCase(), pages)
  );
}

function nearestRecord(path: string, language: Language): string | undefined {
  const [, given = '', collection = '', uuid = ''] = RECORD.exec(path) ?? [];
  const name = collection.toLowerCase();
  const segments = Object.values<string>(PAGE_SEGMENTS);
  const kind =
    kindOfCollection(name) ?? KINDS.find((one) => PAGE_SEGMENTS[one] === nearestName(name, segments));
  if (!kind) return undefined;
  const nearest = `${isLanguage(given) ? given : language}/${PAGE_SEGMENTS[kind]}/${uuid.toLowerCase()}/`;
  return `/${nearest}` === path ? undefined : nearest;
}
