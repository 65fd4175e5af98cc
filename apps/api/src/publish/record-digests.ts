import { createHash, hash } from 'node:crypto';
import { KINDS, type Kind } from '@archiefkast/types';
import { freeArray } from '../number-list.ts';
import type { Database } from '../storage/connect.ts';
import type { Edition, EditionContents } from '../storage/edition.ts';
import { VERSION } from '../version.ts';
import type { EmbeddedRecords } from './render/render-record.ts';

/** Length of a digest in characters: 132 bits. */
const DIGEST_LENGTH = 22;

/**
 * Digest of a record's own texts in every language, and of which records it embeds. The content of embedded records
 * is not part of it. Used for one record after the other: to create a hash for each takes longer than to fill it.
 */
export class RecordDigest {
  #bytes = Buffer.alloc(64 * 1024);
  #length = 0;

  /** Adds a rendered text. @param line the text and a line feed, in UTF-8 */
  addText(line: Uint8Array): void {
    this.#reserve(line.length);
    this.#bytes.set(line, this.#length);
    this.#length += line.length;
  }

  /**
   * The digest, once all texts have been added; then the next record begins.
   *
   * @param isServed whether an embedded record is served
   */
  finish(embeds: readonly EmbeddedRecords[], isServed: (kind: Kind, uuid: string) => boolean): string {
    const embedded = embeds.map(
      ({ kind, uuids }) => `${kind} ${uuids.filter((uuid) => isServed(kind, uuid)).join(' ')}\n`,
    );
    this.addText(Buffer.from(embedded.join('')));
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return hash('sha256', bytes, 'base64url').slice(0, DIGEST_LENGTH);
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const larger = Buffer.alloc(2 * (this.#length + length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** Records fetched by one statement. */
const BATCH_RECORDS = 5_000;

/** A record compared with the edition before. */
interface DigestComparison {
  /** Whether the edition before does not have it. */
  isNew: boolean;
  isSame: boolean;
  /** The time of its last change; null for the time of this edition. */
  changedAt: string | null;
}

/**
 * The digests of the previous edition, of the records of one kind after the other that are also in the edition that is being
 * written, so that unchanged ones keep their time of last change. Takes 26 bytes per such record.
 */
export class RecordDigests {
  /** By position in the new edition; 0 for a new record, or none at all. */
  #digests = Buffer.alloc(0);
  /** The time of last change of each, as an index into the moments. */
  #since = new Uint32Array(0);
  /** Times of change. The first stands for the time of this edition, which is set when it is published. */
  readonly #moments: (string | null)[] = [null];
  readonly #indexes = new Map<string, number>();

  /**
   * Reads the digests of a kind, in place of those of another.
   *
   * @param count number of records of the kind in the new edition
   * @param positionOf the position of a record in the new edition, from 1; 0 if it was removed
   * @param onRemoved called for each removed record, by id
   */
  async readEarlier(
    database: Database,
    earlier: Edition,
    { kind, count }: { kind: Kind; count: number },
    positionOf: (uuid: string) => number,
    onRemoved: (uuid: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const publishedAt = earlier.publishedAt.toISOString();
    freeArray(this.#digests);
    freeArray(this.#since);
    this.#digests = Buffer.alloc(count * DIGEST_LENGTH);
    this.#since = new Uint32Array(count);
    for (let first = 1; first <= earlier.counts[kind]; first += BATCH_RECORDS) {
      signal.throwIfAborted();
      const rows: { uuid: string; digest: string; changed_at: string | null }[] = await batchOf(
        database,
        earlier.id,
        kind,
        first,
      ).select('uuid', 'digest', 'changed_at');
      for (const { uuid, digest, changed_at } of rows) {
        const position = positionOf(uuid);
        if (position === 0) {
          onRemoved(uuid);
          continue;
        }
        this.#digests.write(digest, (position - 1) * DIGEST_LENGTH, 'latin1');
        this.#since[position - 1] = this.#momentIndex(changed_at ?? publishedAt);
      }
    }
  }

  /** Compares the digest of a record of the kind with the earlier one. */
  compare(position: number, digest: string): DigestComparison {
    const start = (position - 1) * DIGEST_LENGTH;
    const isNew = !this.#digests[start];
    const isSame = !isNew && this.#digests.toString('latin1', start, start + DIGEST_LENGTH) === digest;
    const changedAt = isSame ? (this.#moments[this.#since[position - 1] ?? 0] ?? null) : null;
    return { isNew, isSame, changedAt };
  }

  #momentIndex(moment: string): number {
    const known = this.#indexes.get(moment);
    if (known !== undefined) return known;
    this.#indexes.set(moment, this.#moments.push(moment) - 1);
    return this.#moments.length - 1;
  }
}

/** SHA-256 of the content of a written edition and of the version of the program. */
export async function hashContent(
  database: Database,
  { id, counts }: Pick<EditionContents, 'id' | 'counts'>,
  archive: string | null,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256').update(`${VERSION}\n${archive ?? ''}\n`);
  for (const kind of KINDS) {
    hash.update(`${kind}\n`);
    for (let first = 1; first <= counts[kind]; first += BATCH_RECORDS) {
      signal.throwIfAborted();
      const rows: { digest: string }[] = await batchOf(database, id, kind, first).select('digest');
      hash.update(rows.map(({ digest }) => digest).join(''));
    }
  }
  return hash.digest('hex');
}

/** The records of a kind from a position on, in order. */
function batchOf(database: Database, edition: number, kind: Kind, first: number) {
  return database('records')
    .where({ edition, kind })
    .whereBetween('position', [first, first + BATCH_RECORDS - 1])
    .orderBy('position');
}
