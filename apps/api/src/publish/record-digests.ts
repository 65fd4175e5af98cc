import { createHash, hash } from 'node:crypto';
import { KINDS, type Kind } from '@archiefkast/types';
import type { Database } from '../storage/connect.ts';
import type { Edition } from '../storage/edition.ts';
import { VERSION } from '../version.ts';
import type { RenderedRecord } from './render/render-record.ts';

/** Characters of a digest: 132 bits. */
const DIGEST_LENGTH = 22;

/**
 * What a record says of itself, in every language, and which records it embeds, in short: it differs where any of
 * that differs. What the embedded records say is not in it.
 *
 * @param isServed tells which of the embedded records are there
 */
export function recordDigest(
  { texts, embeds }: RenderedRecord,
  isServed: (kind: RenderedRecord['embeds'][number]['kind'], uuid: string) => boolean,
): string {
  const said = texts.map(({ text }) => `${text}\n`);
  const embedded = embeds.map(
    ({ kind, uuids }) => `${kind} ${uuids.filter((uuid) => isServed(kind, uuid)).join(' ')}\n`,
  );
  return hash('sha256', [...said, ...embedded].join(''), 'base64url').slice(0, DIGEST_LENGTH);
}

/** Records fetched by one statement. */
const BATCH_RECORDS = 5_000;

/** The digests of a kind's records by position, and since when each says what it says: an index into the moments. */
interface KindDigests {
  digests: Buffer;
  since: Uint32Array;
}

/**
 * The digests of the records of an edition that is being written: at first those that the same records have in the
 * edition before, so that what has not changed keeps the time of its last change. 26 bytes a record.
 */
export class RecordDigests {
  readonly #kinds: Readonly<Record<Kind, KindDigests>>;
  /** Times of changes. The first stands for the edition's own time, which is known when it is published. */
  readonly #moments: (string | null)[] = [null];
  readonly #indexes = new Map<string, number>();

  constructor(counts: Readonly<Record<Kind, number>>) {
    const make = (kind: Kind): KindDigests => ({
      digests: Buffer.alloc(counts[kind] * DIGEST_LENGTH),
      since: new Uint32Array(counts[kind]),
    });
    this.#kinds = {
      person: make('person'),
      subject: make('subject'),
      location: make('location'),
      event: make('event'),
    };
  }

  /**
   * Takes the digests of the edition before.
   *
   * @param positionOf the position that a record has now, from 1; 0 when it is not there any more
   */
  async readEarlier(
    database: Database,
    earlier: Edition,
    positionOf: (kind: Kind, uuid: string) => number,
    signal: AbortSignal,
  ): Promise<void> {
    const publishedAt = earlier.publishedAt.toISOString();
    for (const kind of KINDS) {
      const { digests, since } = this.#kinds[kind];
      for (let first = 1; first <= earlier.counts[kind]; first += BATCH_RECORDS) {
        signal.throwIfAborted();
        const rows: { uuid: string; digest: string; changed_at: string | null }[] = await database('records')
          .where({ edition: earlier.id, kind })
          .whereBetween('position', [first, first + BATCH_RECORDS - 1])
          .select('uuid', 'digest', 'changed_at');
        for (const { uuid, digest, changed_at } of rows) {
          const position = positionOf(kind, uuid);
          if (position === 0) continue;
          digests.write(digest, (position - 1) * DIGEST_LENGTH, 'latin1');
          since[position - 1] = this.#momentIndex(changed_at ?? publishedAt);
        }
      }
    }
  }

  /** Puts the digest of a record. @returns since when the record says this; null: since this edition's own time */
  put(kind: Kind, position: number, digest: string): string | null {
    const { digests, since } = this.#kinds[kind];
    const start = (position - 1) * DIGEST_LENGTH;
    const isSame = digests.toString('latin1', start, start + DIGEST_LENGTH) === digest;
    digests.write(digest, start, 'latin1');
    return isSame ? (this.#moments[since[position - 1] ?? 0] ?? null) : null;
  }

  /** SHA-256 of what the edition is made of, and of the program that made it: the same for the same. */
  contentHash(archive: string | null): string {
    const hash = createHash('sha256').update(`${VERSION}\n${archive ?? ''}\n`);
    for (const kind of KINDS) hash.update(`${kind}\n`).update(this.#kinds[kind].digests);
    return hash.digest('hex');
  }

  #momentIndex(moment: string): number {
    const known = this.#indexes.get(moment);
    if (known !== undefined) return known;
    this.#indexes.set(moment, this.#moments.push(moment) - 1);
    return this.#moments.length - 1;
  }
}
