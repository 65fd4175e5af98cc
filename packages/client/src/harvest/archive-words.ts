import { randomUUID } from 'node:crypto';
import type { ArchiveIndex, Language } from '@archiefkast/types';
import type { Connection } from '../request/request.ts';
import { readIndex } from '../resources.ts';
import type { HarvestStore } from './store.ts';

export interface ArchiveWords extends Pick<ArchiveIndex, 'title' | 'description' | 'licence'> {
  /** The description in both languages, as in the `archive.json` of a bundle; the harvest makes its uuid. */
  bundle?: { uuid: string } & Readonly<Record<string, unknown>>;
}

/**
 * Stores an archive's description of itself, if it has one: in both languages if possible, with a uuid for its tables. An archive does
 * not serve its own uuid, and two copies that are added to must not give different records the same uuid.
 *
 * @param held store of an earlier harvest, whose uuid is kept
 */
export async function storeArchiveWords(
  connection: Connection,
  edition: string,
  store: HarvestStore,
  held: HarvestStore | undefined,
): Promise<void> {
  const { language } = connection;
  const own = await readIndex(connection, edition);
  if (!own) return;
  const { title, description, licence, homepage, logo, colours } = own;
  const other =
    title === null ? undefined : await readIndex({ ...connection, language: otherThan(language) }, edition);
  const both = (field: 'title' | 'description' | 'publisher') => {
    const [here, there] = [own[field], other?.[field] ?? null];
    if (here === null || there === null) return undefined;
    return language === 'nl' ? { nl: here, en: there } : { nl: there, en: here };
  };
  const words: ArchiveWords = { title, description, licence };
  const bilingual = both('title');
  if (bilingual) {
    const [known] = [store, held].flatMap((one) => (one && readArchiveWords(one)?.bundle?.uuid) ?? []);
    words.bundle = {
      uuid: known ?? randomUUID(),
      title: bilingual,
      description: both('description'),
      publisher: both('publisher'),
      licence: licence ?? undefined,
      homepage: homepage ?? undefined,
      logo,
      colours,
    };
  }
  store.setText('archive', JSON.stringify(words));
}

/** The other of the two languages. */
function otherThan(language: Language): Language {
  return language === 'nl' ? 'en' : 'nl';
}

/** The archive's description in a store; undefined if it is missing. */
export function readArchiveWords(store: HarvestStore): ArchiveWords | undefined {
  const text = store.text('archive');
  return text === undefined ? undefined : JSON.parse(text);
}
