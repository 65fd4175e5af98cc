import type { EditionSelector } from '../../editions/edition.ts';
import type { EditionsInUse, OpenEdition } from '../../read/follow-editions.ts';
import { editionNotKept, noEditionOfKey, nothingPublished, starting } from '../problems/edition-problems.ts';

/**
 * The edition that a request is answered from: the one it names, or the one served now.
 *
 * @throws Problem when the named one is not kept, or nothing has been published; the same for one that was never served
 *   and is named by its number
 */
export async function selectEdition(
  editions: EditionsInUse,
  named: EditionSelector | undefined,
): Promise<OpenEdition> {
  const open = named === undefined ? editions.current() : await editions.find(named);
  if (open) return open;
  if (!editions.isStarted()) throw starting();
  if (named === undefined) throw nothingPublished();
  const kept = await editions.kept();
  const [newest] = kept;
  if (newest === undefined) throw nothingPublished();
  const list = kept.join(', ');
  const expected = { en: `one of the kept editions: ${list}`, nl: `een van de bewaarde edities: ${list}` };
  if (typeof named === 'string') throw noEditionOfKey(named, expected, { editions: kept });
  // A node of the database that lags may have got it since it was looked for.
  const arrived = kept.includes(named) ? await editions.find(named) : undefined;
  if (arrived) return arrived;
  throw editionNotKept(named, newest, expected, { editions: kept });
}
