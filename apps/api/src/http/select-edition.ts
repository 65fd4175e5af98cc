import type { EditionsInUse, OpenEdition } from '../archive/editions-in-use.ts';
import { Problem } from './problems.ts';

/**
 * The edition that a request is answered from: the one it names, or the one served now.
 *
 * @throws Problem when the named one is not kept, or nothing has been published
 */
export async function selectEdition(
  editions: EditionsInUse,
  named: number | undefined,
): Promise<OpenEdition> {
  const open = named === undefined ? editions.current() : await editions.find(named);
  if (open) return open;
  if (named === undefined) throw nothingPublished();
  throw await notKept(editions, named);
}

async function notKept(editions: EditionsInUse, named: number): Promise<Problem> {
  const kept = await editions.kept();
  const [newest] = kept;
  if (newest === undefined) return nothingPublished();
  const list = kept.join(', ');
  const expected = {
    en: `one of the kept editions: ${list}`,
    nl: `een van de bewaarde edities: ${list}`,
  };
  return named > newest
    ? new Problem(
        'no-such-edition',
        { en: `There is no edition ${named}.`, nl: `Er is geen editie ${named}.` },
        expected,
        { editions: kept },
      )
    : new Problem(
        'edition-gone',
        { en: `Edition ${named} is no longer kept.`, nl: `Editie ${named} wordt niet meer bewaard.` },
        expected,
        { editions: kept },
      );
}

function nothingPublished(): Problem {
  return new Problem('nothing-published', {
    en: 'No edition of the archive has been published yet.',
    nl: 'Er is nog geen editie van het archief gepubliceerd.',
  });
}
