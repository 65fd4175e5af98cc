import { LANGUAGES } from '@archiefkast/types';
import { publishEdition } from '../src/publish/switch-edition.ts';
import type { Database } from '../src/storage/connect.ts';
import { type Lease, withLease } from '../src/storage/lease.ts';
import { codeOf, textsOf } from '../src/storage/stored-texts.ts';

/** Number of records of a bare edition. */
export const COUNTS = { person: 1, subject: 0, location: 0, event: 0 };

/** Who publishes bare editions. */
export const PROVENANCE = { user: 'tests', host: 'localhost', bundle: 'bare', sha256: '', version: '0' };

/** Publishes editions of next to nothing into a database. */
export function bareEditions(database: () => Database) {
  /** Does something under a lease of its own, as every command does. */
  const leased = <Result>(work: (lease: Lease) => Promise<Result>) => withLease(database(), {}, work);

  /** Begins an edition with a record and a link in it, as a publish does. */
  async function begin(id: number, fence = 0): Promise<void> {
    const person = codeOf('person');
    const edition = { id, key: `key-${id}`, status: 'writing', fence, first_version: id };
    await database()('editions').insert({ ...edition, mapping: 1, counts: JSON.stringify(COUNTS) });
    for (const language of LANGUAGES)
      await database()('texts').insert({ id: textsOf('person', language) + id, text: '{}' });
    const record = { record: id, kind: person, id: 1, uuid: `uuid-${id}` };
    await database()('versions').insert({ version: id, ...record, input: 'x', digest: 'x', measures: '' });
    await database()('embeds').insert({ version: id, text_kind: person, ordinal: 0, record: id });
    const entry = { edition: id, kind: person, position: 1, record: id, version: id, shown: 'x' };
    await database()('entries').insert(entry);
  }

  /** Publishes an edition and serves it, or holds it. */
  async function publish(id: number, { hold = false } = {}): Promise<void> {
    await leased(async (lease) => {
      await begin(id, lease.fence);
      // Editions of one second would each wait for the next.
      await database()('editions')
        .where({ status: 'published' })
        .update({ published_at: '2026-01-01T00:00:00.000Z' });
      const written = { id, key: `key-${id}`, counts: COUNTS, total: 1 };
      await publishEdition(lease, written, { source: 'x', provenance: PROVENANCE, hold });
    });
  }

  return { leased, begin, publish };
}
