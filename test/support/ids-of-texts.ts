import { LANGUAGES } from '@archiefkast/types';
import { codeOf, ownerOf, type TextKind, textsOf } from '../../apps/api/src/storage/stored-texts.ts';
import type { Database } from './database-of.ts';

/** The ids of the texts of a record of an edition, in every language. */
export async function idsOfTexts(
  database: Database,
  edition: number,
  textKind: TextKind,
  position: number,
): Promise<number[]> {
  const entry = await database('entries')
    .where({ edition, kind: codeOf(ownerOf(textKind)), position })
    .first();
  return LANGUAGES.map((language) => textsOf(textKind, language) + entry.version);
}
