import { hash, randomUUID } from 'node:crypto';
import { KINDS, type Kind, type KnownDates } from '@archiefkast/types';
import type { Fields } from '@archiefkast/types/internal';
import { BundleError, CHANGED, describeOrigin, FaultList, WarningList } from './faults.ts';
import { countUnsized, type PictureSources } from './picture-size.ts';
import { type BundleRecord, nameOf, parseRecord, READING_ORDER } from './record-schemas.ts';
import type { RecordSource } from './record-source.ts';
import { createReferenceCheck, type KnownRecord, type Owner, Records } from './records.ts';
import { SUPPLEMENT_FILE, Supplements } from './supplements.ts';
import { createWarner, type MediaFolder, warnOfMedia, warnOfPages } from './warnings.ts';

/** A valid bundle: every record has the fields of its kind, and every reference resolves. */
export interface CheckedBundle extends PictureSources {
  source: RecordSource;
  records: Records;
  /** Number of records that are served. */
  total: number;
  supplements: Supplements;
  /** Number of dates of which less than a day is known. */
  firstDays: number;
  /** Number of pictures of which width and height are not known; 0 if they were not counted. */
  unsized: number;
  /** Possible mistakes that do not stop a publish. */
  warnings: WarningList;
}

/** How a bundle is checked. */
export interface CheckOptions {
  /** Called for every record, for progress; an error that it throws ends the check. */
  onRecord?: () => void;
  /** The folder in which to look for the files that records name. */
  media?: MediaFolder | undefined;
  /** Whether pictures without a size are counted, which reads the first bytes of each hosted one. */
  countsUnsized?: boolean;
}

/**
 * Reads and checks all records of a bundle. Only their identifiers stay in memory.
 *
 * @param faults the faults found when the bundle was opened
 * @throws BundleError with every fault found
 */
export async function checkBundle(
  source: RecordSource,
  faults: FaultList,
  { onRecord = () => {}, media, countsUnsized = false }: CheckOptions = {},
): Promise<CheckedBundle> {
  const records = new Records();
  const references = createReferenceCheck(records, faults, source);
  const warnings = new WarningList(source);
  const supplements = await Supplements.read(source.supplement, faults);
  const bundle = { source, records, total: 0, supplements, firstDays: 0, unsized: 0, media, warnings };

  /** Notes where events are, their subjects, which come from elsewhere if they are harvested, and what is related to a location. */
  const noteLinks: { [K in Kind]?: (record: BundleRecord[K], owner: Owner) => void } = {
    location: ({ uuid, events, related_locations }, owner) => {
      const location = records.find('location', uuid);
      if (location) records.relateLocation(location, related_locations);
      for (const { uuid: event, subjects } of events) {
        references.require(owner, 'events[].subjects', 'subject', subjects);
        // The strings of the subjects themselves, so that each is in memory once.
        const known = subjects.map((subject) => records.find('subject', subject)?.uuid ?? subject);
        if (subjects.length > 0) records.subjectsOf.set(event, known);
      }
    },
    event: ({ uuid, location }) => {
      const known = records.find('event', uuid);
      const at = records.find('location', location ?? '');
      if (known && at) records.placeEvent(known, at);
      const subjects = supplements.subjectsOf(uuid);
      if (subjects && !records.subjectsOf.has(uuid)) records.subjectsOf.set(uuid, subjects);
    },
  };

  const readKind = async <K extends Kind>(kind: K) => {
    const warner = createWarner(kind, warnings);
    for await (const found of source.records(kind, faults)) {
      onRecord();
      const { at } = found;
      const refuse = (field: string | undefined, reason: string) =>
        faults.add({ ...source.at(kind, at, field), reason });
      const parsed = parseRecord(kind, found, source.archive?.partial_dates);
      const record = parsed.record ?? standIn(parsed.known, at);
      const clash = records.add(kind, record, at);
      if (clash) {
        const { field, first } = clash;
        const where = describeOrigin(source.at(first.kind, first.at, field));
        refuse(field, `${record[field]} is already used at ${where}`);
      }
      for (const { field, reason } of parsed.faults) refuse(field, reason);
      if (parsed.record && !clash) {
        const dates = supplements.datesOf(parsed.record, parsed.dates, (field, edtf, day) => {
          const reason = `${day} is not the first day of ${edtf}, which ${SUPPLEMENT_FILE} has; that is not used`;
          warnings.add('supplement-differs', kind, at, field, reason);
        });
        bundle.firstDays += Object.keys(dates).length;
        const { id, uuid } = parsed.record;
        const fields: Fields = { ...parsed.record };
        const owner = { kind, id, name: nameOf(kind, fields), at };
        references.note(owner, fields);
        noteLinks[kind]?.(parsed.record, owner);
        const known = records.find(kind, uuid);
        if (known) known.names = hashOfNames(kind, fields);
        warner.look(parsed.record, at);
        if (found.isNamedByParts)
          warnings.add(
            'named-by-parts',
            kind,
            at,
            'title_nl',
            'is empty: the title is made of the parts of the name',
          );
        if (countsUnsized) bundle.unsized += await countUnsized(bundle, parsed.record);
        if (media !== undefined) await warnOfMedia(media, kind, parsed.record, at, warnings);
      }
    }
    records.rank(kind);
    references.finish(kind);
    warner.finish();
  };
  for (const kind of READING_ORDER) if (!source.unread.includes(kind)) await readKind(kind);
  supplements.check(records, faults);
  checkNamed(source, records, faults);
  if (media !== undefined) await warnOfPages(media, source, warnings);
  faults.throwIfAny();
  bundle.total = KINDS.reduce((sum, kind) => sum + records.counts[kind], 0);
  return bundle;
}

/** Checks the records that the archive names: highlights, subjects with notes and those in the place of others are served, replaced ones are not. */
function checkNamed({ archive, archiveAt }: RecordSource, records: Records, faults: FaultList): void {
  const isServed = (uuid: string) => KINDS.some((kind) => records.isServed(kind, uuid));
  const { highlights = [], notes } = archive ?? {};
  for (const subject of Object.keys(notes?.nl ?? {}))
    if (!records.isServed('subject', subject))
      faults.add({
        ...archiveAt,
        field: `notes.${subject}`,
        reason: `refers to the subject ${subject}, which is not in the bundle`,
      });
  for (const [index, uuid] of highlights.entries()) {
    const refuse = (reason: string) => faults.add({ ...archiveAt, field: `highlights.${index}`, reason });
    if (!isServed(uuid)) refuse(`refers to the record ${uuid}, which is not in the bundle`);
    else if (highlights.indexOf(uuid) < index) refuse(`names the record ${uuid} again; expected it once`);
  }
  for (const [old, by] of Object.entries(archive?.replaced ?? {})) {
    const refuse = (reason: string) => faults.add({ ...archiveAt, field: `replaced.${old}`, reason });
    if (isServed(old))
      refuse('is the uuid of a record of this bundle; expected that of a record that is no more');
    if (!isServed(by)) refuse(`refers to the record ${by}, which is not in the bundle`);
  }
}

/** Bytes of a hash that a number holds exactly. */
const HASH_BYTES = 6;

function hashOfNames(kind: Kind, record: Fields): number {
  const name = kind === 'person' ? 'title' : 'name';
  const names = JSON.stringify([record[`${name}_nl`], record[`${name}_en`]]);
  return hash('sha256', names, 'buffer').readUIntBE(0, HASH_BYTES);
}

/** Placeholder for a record with a fault, so that references to it are not reported too. */
function standIn({ id, uuid }: { id?: number | undefined; uuid?: string | undefined }, at: number) {
  return { id: id ?? -at, uuid: uuid ?? randomUUID(), published: true };
}

/** A record of a checked bundle. */
export interface CheckedRecord<K extends Kind> {
  record: BundleRecord[K];
  known: KnownRecord;
  /** What is known of the dates of which the record has a first day. */
  dates: KnownDates;
}

/**
 * Reads the records of one kind from a checked bundle again.
 *
 * @throws BundleError if a record is not one of those that were checked
 */
export async function* readRecords<K extends Kind>(
  { source, records, supplements }: CheckedBundle,
  kind: K,
): AsyncGenerator<CheckedRecord<K>> {
  for await (const found of source.records(kind, new FaultList())) {
    const { record, dates } = parseRecord(kind, found, source.archive?.partial_dates);
    const known = record && records.find(kind, record.uuid);
    if (!known || known.id !== record.id)
      throw new BundleError([{ ...source.at(kind, found.at), reason: CHANGED }]);
    yield { record, known, dates: supplements.datesOf(record, dates) };
  }
}
