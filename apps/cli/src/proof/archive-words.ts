import { randomUUID } from 'node:crypto';
import type { HarvestStore } from '@archiefkast/client/node';
import { type ArchiveIndex, type Language, licenceSchema } from '@archiefkast/types';
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
      uuid: z.string(),
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
  const [known] = [store, held].flatMap((one) => (one && readArchiveWords(one)?.bundle?.uuid) ?? []);
  const bundle = both('title') && {
    uuid: known ?? randomUUID(),
    title: both('title'),
    description: both('description'),
    publisher: both('publisher'),
    licence: licence ?? undefined,
    homepage: homepage ?? undefined,
    logo,
    colours,
  };
  store.setText('archive', JSON.stringify(wordsSchema.parse({ title, description, licence, bundle })));
}

/** The archive's description in a store; undefined if it is missing. */
export function readArchiveWords(store: HarvestStore): ArchiveWords | undefined {
  const text = store.text('archive');
  return text === undefined ? undefined : wordsSchema.parse(JSON.parse(text));
}
