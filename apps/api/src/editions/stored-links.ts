import type { Kind } from '@archiefkast/types';
import type { Database } from '../database/connect.ts';
import type { Run } from './stored-texts.ts';

/** The uuids of the records of kind `target` that those of a kind at a run of positions embed, by position; one statement. */
export async function fetchEmbeddedUuids(
  database: Database,
  edition: number,
  kind: Kind,
  target: Kind,
  { first, last }: Run,
): Promise<Map<number, string[]>> {
  const rows: { source: number; uuid: string }[] = await database('links')
    .join('records', (join) => {
      join
        .on('records.edition', 'links.edition')
        .andOnVal('records.kind', target)
        .andOn('records.position', 'links.target');
    })
    .select('links.source', 'records.uuid')
    .where({ 'links.edition': edition, 'links.source_form': kind, 'links.target_form': target })
    .whereBetween('links.source', [first, last])
    .orderBy(['links.source', 'links.ordinal']);
  const uuids = new Map<number, string[]>();
  for (const { source, uuid } of rows) {
    const known = uuids.get(source);
    if (known) known.push(uuid);
    else uuids.set(source, [uuid]);
  }
  return uuids;
}
