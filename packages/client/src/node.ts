export { WriteError } from '@archiefkast/system';
export { contractSchemas } from './contract-schemas.ts';
export { FolderError } from './errors.ts';
export { harvest } from './harvest/harvest.ts';
export type { HarvestEvent, HarvestOptions } from './harvest/harvest-options.ts';
export type { HarvestReport, KindReport } from './harvest/harvest-report.ts';
export { HarvestStore } from './harvest/store.ts';
export type { PageFacts, Walk } from './harvest/store-schema.ts';
