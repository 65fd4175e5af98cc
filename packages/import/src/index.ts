export { draftMap } from './draft/draft-map.ts';
export { mapSchema } from './import-map.ts';
export { layOutTables, namesLeftWhole } from './import-tables.ts';
export type { Tally } from './kind-records.ts';
export { readSources } from './open-sources.ts';
export { readMap } from './read-map.ts';
export { type MadeRecords, makeRecords } from './records.ts';
