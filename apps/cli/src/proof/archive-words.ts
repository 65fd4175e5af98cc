import { randomUUID } from 'node:crypto';
import type { HarvestStore } from '@archiefkast/client/node';
import type { ArchiveIndex, Language } from '@archiefkast/types';

export interface ArchiveWords extends Pick<ArchiveIndex, 'title' | 'description' | 'licence'> {
  /** The description in both languages, as in the `archive.json` of a bundle; the harvest makes its uuid. */
  bundle?: { uuid: string } & Readonly<Record<string, unknown>>;
}

/**
 * Stores an archive's description of itself, if it has one: in both languages if possible, with a uuid for its tables. An archive does
 * not serve its own uuid, and two copies that are added to must not give different records the same uuid.
 *
 * @param ask fetches the description in a language
 * @param held store of an earlier harvest, whose uuid is kept
 */
export async function storeArchiveWords(
  store: HarvestStore,
  language: Language,
  ask: (language: Language) => Promise<ArchiveIndex | undefined>,
  held: HarvestStore | undefined,
): Promise<void> {
  const own = await ask(language);
  if (!own) return;
  const { title, description, licence, homepage, logo, colours } = own;
  const other = title === null ? undefined : await ask(language === 'nl' ? 'en' : 'nl');
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

/** The archive's description in a store; undefined if it is missing. */
export function readArchiveWords(store: HarvestStore): ArchiveWords | undefined {
  const text = store.text('archive');
  return text === undefined ? undefined : JSON.parse(text);
}
