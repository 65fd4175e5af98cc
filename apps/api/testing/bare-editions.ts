import { LANGUAGES } from '@archiefkast/types';
import { withPublishLease } from '../src/publish/publish-lease.ts';
import { publishEdition } from '../src/publish/switch-edition.ts';
import type { Database } from '../src/storage/connect.ts';
import type { Lease } from '../src/storage/lease.ts';

/** Number of records of a bare edition. */
export const COUNTS = { person: 1, subject: 0, location: 0, event: 0 };

/** Publishes editions of next to nothing into a database. */
export function bareEditions(database: () => Database) {
  /** Does something under a lease of its own, as every command does. */
  const leased = <Result>(work: (lease: Lease) => Promise<Result>) => withPublishLease(database(), {}, work);

  /** Begins an edition with a record and a link in it, as a publish does. */
  async function begin(id: number, fence = 0): Promise<void> {
    await database()('editions').insert({ id, key: `key-${id}`, status: 'writing', fence });
    for (const language of LANGUAGES) {
      await database()('texts').insert({ edition: id, language, form: 'person', position: 1, text: '{}' });
    }
    const record = { kind: 'person', position: 1, id: 1, uuid: `uuid-${id}`, digest: 'x' };
    await database()('records').insert({ edition: id, ...record });
    const link = { source_form: 'event', source: 1, target_form: 'person', ordinal: 0, target: 1 };
    await database()('links').insert({ edition: id, ...link });
  }

  /** Publishes an edition and serves it, or holds it. */
  async function publish(id: number, { hold = false } = {}): Promise<void> {
    await leased(async (lease) => {
      await begin(id, lease.fence);
      // Editions of one second would each wait for the next.
      await database()('editions')
        .where({ status: 'published' })
        .update({ published_at: '2026-01-01T00:00:00.000Z' });
      await publishEdition(lease, { id, counts: COUNTS }, { source: 'x', hold });
    });
  }

  return { leased, begin, publish };
}
