export { contractSchemas } from './contract-schemas.ts';
export { FolderError } from './errors.ts';
export { baseOf, differencesFrom, hashOfRecord } from './harvest/content-hash.ts';
export { takeSupplement } from './harvest/from-dumps.ts';
export { assertSameWalk, type HarvestReport, harvest } from './harvest/harvest.ts';
export type { HarvestEvent, HarvestOptions } from './harvest/harvest-options.ts';
export {
  HarvestStore,
  linesOf,
  type PageFacts,
  recordsOf,
  removeStore,
  STORE_FILE,
  type Walk,
} from './harvest/store.ts';
