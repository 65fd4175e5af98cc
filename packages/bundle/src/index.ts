export {
  ARCHIVE_FILE,
  type ArchiveDescription,
  archiveDescriptionSchema,
  type PartialDates,
  parseArchiveDescription,
} from './archive-description.ts';
export { type CheckedBundle, type CheckedRecord, checkBundle, readRecords } from './check-bundle.ts';
export { BundleError, describeOrigin, FaultList, type Origin } from './faults.ts';
export { hostedFile, plainText, reasonOf } from './field-schemas.ts';
export { withHostedMedia, withMediaPaths } from './hosted-media.ts';
export { type Bundle, bundleFiles, describeMissing, digestOfFiles, findBundle } from './open-bundle.ts';
export { TAKEN_NAMES } from './own-pages.ts';
export { type Size, sizesOf } from './picture-size.ts';
export {
  type BundleRecord,
  bundleSchemas,
  fieldName,
  fileObject,
  MULTILINGUAL,
  parseRecord,
  READING_ORDER,
  takeFirstDays,
} from './record-schemas.ts';
export type { RecordSource } from './record-source.ts';
export type { KnownRecord, Records } from './records.ts';
export { SUPPLEMENT_FILE } from './supplements.ts';
export { isPlaceholder } from './text-warnings.ts';
export type { MediaFolder } from './warnings.ts';
