import { randomUUID } from 'node:crypto';
import type { HarvestStore } from '@archiefkast/client/node';
import { type ArchiveIndex, LANGUAGES, type Language, licenceSchema } from '@archiefkast/types';
import { z } from 'zod';

const bilingual = z.object({ nl: z.string(), en: z.string() });

const wordsSchema = z.object({
  title: z.string().nullable(),
  description: z.string().nullable(),
  licence: licenceSchema.nullable(),
  /** The description in both languages, as in the `archive.json` of a bundle. */
  bundle: z
    .object({
      /** Made by the harvest: records that are added to its tables get their uuids from it. */
      uuid: z.string().optional(),
      title: bilingual,
      description: bilingual.optional(),
      publisher: bilingual.optional(),
      licence: licenceSchema.optional(),
      homepage: z.string().optional(),
      logo: z.string().optional(),
      colours: z.object({ light: z.string(), dark: z.string() }).optional(),
    })
    .optional(),
});

/** An archive's description of itself: title, description and licence. */
export type ArchiveWords = z.infer<typeof wordsSchema>;

/** Fetches an archive's description of itself; undefined if it has none. */
export async function askArchiveWords(
  language: Language,
  ask: (language: Language) => Promise<ArchiveIndex | undefined>,
): Promise<ArchiveWords | undefined> {
  const own = await ask(language);
  if (!own) return undefined;
  const { title, description, licence, homepage, logo, colours } = own;
  const other = LANGUAGES.find((one) => one !== language);
  const words = { title, description, licence };
  const translated = other && title !== null ? await ask(other) : undefined;
  if (!translated) return words;
  const both = (field: 'title' | 'description' | 'publisher') => {
    const [here, there] = [own[field], translated[field]];
    if (here === null || there === null) return undefined;
    return language === 'nl' ? { nl: here, en: there } : { nl: there, en: here };
  };
  const bundle = {
    title: both('title'),
    description: both('description'),
    publisher: both('publisher'),
    licence: licence ?? undefined,
    homepage: homepage ?? undefined,
    logo,
    colours,
  };
  return wordsSchema.parse(bundle.title ? { ...words, bundle } : words);
}

/**
 * Stores an archive's description, with a uuid for its tables: an archive does not serve its own, and two copies that are added
 * to must not give different records the same uuid.
 *
 * @param held store of an earlier harvest, whose uuid is kept
 */
export function storeArchiveWords(
  store: HarvestStore,
  words: ArchiveWords,
  held: HarvestStore | undefined,
): void {
  const { bundle, ...own } = words;
  const [known] = [store, held].flatMap((one) => (one && readArchiveWords(one)?.bundle?.uuid) ?? []);
  const all = bundle ? { ...own, bundle: { ...bundle, uuid: known ?? randomUUID() } } : own;
  store.setText('archive', JSON.stringify(wordsSchema.parse(all)));
}

/** The archive's description in a store; undefined if it is missing. */
export function readArchiveWords(store: HarvestStore): ArchiveWords | undefined {
  const text = store.text('archive');
  return text === undefined ? undefined : wordsSchema.parse(JSON.parse(text));
}
