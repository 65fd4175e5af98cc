// What archive-cli needs of harvests besides the public API.
export { WaitError } from './errors.ts';
export { type ArchiveWords, readArchiveWords } from './harvest/archive-words.ts';
export { compareManifest, hashOfRecord } from './harvest/content-hash.ts';
export { assertSameWalk, createReport } from './harvest/harvest.ts';
export { isUnmoved } from './harvest/harvest-report.ts';
export { linesOf, recordsOf } from './harvest/json-lines.ts';
export { MEDIA_NOTES, type MediaFile, takeMedia } from './harvest/media.ts';
export { STORE_FILE } from './harvest/store.ts';
export { removeStore } from './harvest/store-file.ts';
