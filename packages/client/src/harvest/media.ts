import { createHash } from 'node:crypto';
import { realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hashOfFile, makeFolder, writeWhole } from '@archiefkast/system';
import { KINDS, type Kind } from '@archiefkast/types';
import { type Fields, isObject, KIND_FACTS, MEDIA_PATH } from '@archiefkast/types/internal';
import { baseOf } from '@archiefkast/types/internal/dump-blocks';
import type { ClientOptions } from '../client-options.ts';
import { FolderError, RequestError, StatusError } from '../errors.ts';
import { type Connection, connect } from '../request/request.ts';
import { recordsOf } from './json-lines.ts';
import type { HarvestStore } from './store.ts';

/** Name of the notes of downloaded files, beside the store of a harvest. */
export const MEDIA_NOTES = 'media.sqlite';

/** A file that an archive hosts, as it was downloaded: `name` is its path in the media folder. */
export interface MediaFile {
  name: string;
  bytes: number;
  sha256: string;
}

export interface MediaOptions {
  client: ClientOptions;
  /** A harvest whose records name files, and the key of its edition. */
  store: HarvestStore | undefined;
  edition: string;
  /** The keys of other editions whose files are kept. */
  keep?: ReadonlySet<string>;
  /** The database of what was downloaded. Files of the folder that it does not have are neither replaced nor deleted. */
  notes: string;
  folder: string;
  /** The path in the folder of what follows `/media/` in an address; undefined if it may be none. */
  pathOf: (encoded: string) => string | undefined;
  /** Called with the reason, as a sentence, for each file that the archive does not send, or that is too large (`maxBytes`). */
  onMissing: (reason: string) => void;
}

/** `named` has the files that the records of an edition name. */
const TABLES = `
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS files (
    name TEXT PRIMARY KEY, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL, etag TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS named (edition TEXT, name TEXT, PRIMARY KEY (edition, name)) STRICT, WITHOUT ROWID;
`;

/**
 * Downloads the files that an archive hosts and its records, own pages and logo name into a folder: those that changed, one after the other, each whole or
 * not at all. Files that no edition names any more are deleted, and so are those that the archive no longer sends.
 *
 * @returns the files that the folder has
 * @throws RequestError if the archive cannot be reached; FolderError if a file would be outside the folder, or replace another's;
 *   WriteError
 */
export async function takeMedia(options: MediaOptions): Promise<MediaFile[]> {
  const { client, store, edition, keep = new Set(), folder, pathOf } = options;
  await makeFolder(folder);
  const root = await realpath(folder);
  const connection = connect(client);
  using notes = new DatabaseSync(options.notes);
  notes.exec(TABLES);
  const kept = JSON.stringify([...keep, edition]);
  notes.prepare('DELETE FROM named WHERE edition NOT IN (SELECT value FROM json_each(?))').run(kept);
  if (store && !notes.prepare('SELECT 1 FROM named WHERE edition = ?').get(edition)) {
    const insert = notes.prepare('INSERT OR IGNORE INTO named VALUES (?, ?)');
    notes.exec('BEGIN');
    for (const kind of KINDS) for (const name of hostedFiles(store, kind, pathOf)) insert.run(edition, name);
    for (const name of filesOfWords(store, connection.baseUrl, pathOf)) insert.run(edition, name);
    notes.exec('COMMIT');
  }
  let forgotten = 0;
  const forget = async (name: string) => {
    forgotten += 1;
    await rm(join(root, name), { force: true });
    notes.prepare('DELETE FROM files WHERE name = ?').run(name);
  };
  const unnamed = notes.prepare('SELECT name FROM files WHERE name NOT IN (SELECT name FROM named)').all();
  for (const { name } of unnamed) await forget(String(name));
  const named = 'SELECT DISTINCT name, bytes, etag FROM named LEFT JOIN files USING (name) ORDER BY name';
  const note = notes.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?, NULL)');
  const noteEtag = notes.prepare('UPDATE files SET etag = ? WHERE name = ?');
  for (const row of notes.prepare(named).all()) {
    const name = String(row['name']);
    const held = row['bytes'] === null ? undefined : { bytes: row['bytes'], etag: row['etag'] ?? undefined };
    try {
      // Noted before it is put in place, so that the next run may replace it, and with its ETag afterwards.
      const etag = await takeFile(connection, root, name, held, ({ bytes, sha256 }) =>
        note.run(name, bytes, sha256),
      );
      if (etag !== undefined) noteEtag.run(etag, name);
    } catch (error) {
      if (!(error instanceof RequestError) || error.isPassing) throw error;
      options.onMissing(error.message);
      if (held) await forget(name);
    }
  }
  // Also where SQLite left bytes of a row that it moved.
  if (forgotten > 0) notes.exec('VACUUM');
  const all = notes.prepare('SELECT name, bytes, sha256 FROM files ORDER BY name').all();
  return all.map((row) => ({
    name: String(row['name']),
    bytes: Number(row['bytes']),
    sha256: String(row['sha256']),
  }));
}

/**
 * Downloads a file, unless it is as it was held.
 *
 * @param note called before the file is put in place
 * @returns its ETag, null if it has none; undefined if it is unchanged
 */
async function takeFile(
  connection: Connection,
  root: string,
  name: string,
  held: { bytes: unknown; etag: unknown } | undefined,
  note: (file: Omit<MediaFile, 'name'>) => void,
): Promise<string | null | undefined> {
  const path = join(root, name);
  await makeFolder(dirname(path));
  if (!`${await realpath(dirname(path))}${sep}`.startsWith(`${root}${sep}`))
    throw new FolderError(`${path} is outside the folder ${root}, by a symbolic link`);
  const url = connection.baseUrl + MEDIA_PATH + name.split('/').map(encodeURIComponent).join('/');
  const size = await stat(path).then(
    (found) => found.size,
    () => undefined,
  );
  const etag = held?.etag !== undefined && size === held.bytes ? String(held.etag) : undefined;
  let taken: string | null | undefined;
  try {
    await writeWhole(path, async (file) => {
      const { body, headers } = await connection.bytes({ url, etag }, async (chunks) => {
        await file.truncate();
        const hash = createHash('sha256');
        let bytes = 0;
        for await (const chunk of chunks) {
          hash.update(chunk);
          await file.write(chunk, 0, chunk.length, bytes);
          bytes += chunk.length;
        }
        return { bytes, sha256: hash.digest('hex') };
      });
      if (!held && size !== undefined && (await hashOfFile(path)).sha256 !== body.sha256)
        throw new FolderError(`${path} is another file, which was not downloaded; move or delete it`);
      note(body);
      taken = headers.get('etag');
    });
  } catch (error) {
    if (!(error instanceof StatusError && error.status === 304)) throw error;
  }
  return taken;
}

/** The end of an address in what an archive says of itself, where pages are in Markdown. */
const ADDRESS = /^[^\s")\\]+/;

/** The paths of the files that an archive hosts, and names in its own pages or as its logo. */
function filesOfWords(store: HarvestStore, baseUrl: string, pathOf: MediaOptions['pathOf']): string[] {
  const [, ...parts] = (store.text('archive') ?? '').split(baseUrl + MEDIA_PATH);
  return parts.flatMap((part) => pathOf(ADDRESS.exec(part)?.[0] ?? '') ?? []);
}

/** The paths of the files that the records of a kind name, and that their archive hosts. */
function* hostedFiles(store: HarvestStore, kind: Kind, pathOf: MediaOptions['pathOf']): Generator<string> {
  for (const block of store.blocks(kind)) {
    if (!block.includes(MEDIA_PATH)) continue;
    for (const record of recordsOf<Fields>(block)) {
      const start = baseOf(String(record['url'])) + MEDIA_PATH;
      for (const file of [record[KIND_FACTS[kind].image], record['files']].flat()) {
        const path = isObject(file) ? String(file['path']) : '';
        const name = path.startsWith(start) ? pathOf(path.slice(start.length)) : undefined;
        if (name !== undefined) yield name;
      }
    }
  }
}
