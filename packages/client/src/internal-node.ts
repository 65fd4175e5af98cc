// What archive-cli needs of harvests besides the public API.
export { baseOf, differencesFrom, hashOfRecord } from './harvest/content-hash.ts';
export { takeSupplement } from './harvest/from-dumps.ts';
export { assertSameWalk } from './harvest/harvest.ts';
export { linesOf, recordsOf, removeStore, STORE_FILE } from './harvest/store.ts';
