/** Records per block of a dump; the last block may have fewer. */
export const BLOCK_RECORDS = 1_000;

/** Length of a record's hash in bytes: the beginning of a SHA-256. */
export const RECORD_HASH_BYTES = 16;

/** The fields that may embed records, in the order in which the hashes of these records are chained. */
export const EMBEDDING_FIELDS = ['subjects', 'persons', 'events', 'location'] as const;

/** Stands for the base URL where a record is hashed. JSON text has it in no other place. */
export const BASE_URL_MARK = '\u0001';

const MEDIA_START = /"path":"[^"]*\/media\//g;

/**
 * The JSON of a record without the addresses before `/media/` in the paths of files: where an archive serves its files is
 * not part of its content. It differs between a bundle with paths and a harvest of it.
 */
export function withoutMediaHosts(json: string): string {
  return json.includes('"path":"') ? json.replace(MEDIA_START, '"path":"/media/') : json;
}
