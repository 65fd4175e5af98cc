import {
  FIELD_SHAPES,
  KINDS,
  type Kind,
  type Language,
  type Selection,
  selectFields,
} from '@archiefkast/types';
import { BASE_URL_MARK, withoutMarks } from '../storage/marks.ts';
import type { Form } from '../storage/stored-texts.ts';
import { MissingTextError } from '../storage/stored-texts.ts';
import type { Chunk, EditionName, RecordReader } from './assemble.ts';
import type { EmbeddedText, RecordPlace, TextQueries } from './texts.ts';

/** What is asked for of the records of each kind. */
export type Selections = Readonly<Record<Kind, Selection>>;

/** Reads some fields of records. */
export interface FieldReader {
  /**
   * The JSON of the fields asked for, in the order of `places`. What records embed is fetched where a field of it is
   * asked for, and only then.
   *
   * @throws MissingTextError when the edition does not have one of them: it is not kept any more
   */
  read(
    edition: EditionName,
    language: Language,
    places: readonly RecordPlace[],
    selections: Selections,
  ): Promise<Chunk[][]>;
}

/** What is asked for of every kind: the fields called `names`, where its records have them. */
export function selectionsOf(names: (kind: Kind) => readonly string[]): Selections {
  const selections: Record<Kind, Selection> = { person: {}, subject: {}, location: {}, event: {} };
  for (const kind of KINDS) selections[kind] = selectFields(FIELD_SHAPES[kind], names(kind));
  return selections;
}

/** The fields of a record that stand in the text as slots, and the form that goes there. */
const SLOTS: Readonly<Partial<Record<Form, Readonly<Record<string, Form>>>>> = {
  event: { persons: 'person', location: 'location' },
  location: { events: 'abbreviated_event', subjects: 'subject' },
};

/** A record to be written: its text, and where it is. */
type Source = Pick<EmbeddedText, 'form' | 'position' | 'text'>;

/** What goes into the slots of a page's records. */
interface Slots {
  embeddedIn(form: Form, position: number, embedded: Form): EmbeddedText[];
  wholeLocation(position: number): Chunk[];
}

/**
 * A reader of some fields of records.
 *
 * @param baseUrl root of every link
 */
export function createFieldReader(queries: TextQueries, reader: RecordReader, baseUrl: string): FieldReader {
  return {
    async read(edition, language, places, selections) {
      const own = await queries.fetchTexts(edition.id, language, places);
      const inEvents = await fetchEmbedded('event', positionsOf(own, 'event'), selections.event);
      const ofEvents = selections.event['location'];
      const [inner, outer] = [ofEvents === 'all' ? {} : (ofEvents ?? {}), selections.location];
      const inLocations = await fetchEmbedded(
        'location',
        [
          ...(wantsSlots('location', outer) ? positionsOf(own, 'location') : []),
          ...(wantsSlots('location', inner) ? positionsOf(inEvents, 'location') : []),
        ],
        { ...inner, ...outer },
      );
      const embedded = Map.groupBy(
        [
          ...inEvents.map((text) => ({ in: 'event', text })),
          ...inLocations.map((text) => ({ in: 'location', text })),
        ],
        ({ in: form, text }) => slotKey(form, text.source, text.form),
      );
      const whole = await readWholeLocations(ofEvents === 'all' ? positionsOf(inEvents, 'location') : []);
      const slots: Slots = {
        embeddedIn: (form, position, each) =>
          (embedded.get(slotKey(form, position, each)) ?? []).map(({ text }) => text),
        wholeLocation: (position) => whole.get(position) ?? [],
      };
      const texts = new Map(own.map((text) => [`${text.form} ${text.position}`, text]));
      return places.map(({ kind, position }) => {
        const text = texts.get(`${kind} ${position}`);
        if (!text) throw new MissingTextError(edition.id, `the ${kind} at position ${position}`);
        return writeFields(text, selections[kind], slots);
      });

      /** What the records at `sources` embed, of the forms that are asked for. */
      async function fetchEmbedded(
        kind: 'event' | 'location',
        sources: readonly number[],
        selection: Selection,
      ): Promise<EmbeddedText[]> {
        const forms = Object.entries(SLOTS[kind] ?? {}).flatMap(([field, form]) =>
          selection[field] ? form : [],
        );
        if (forms.length === 0 || sources.length === 0) return [];
        return queries.fetchEmbedded(edition.id, language, kind, sources, forms);
      }

      async function readWholeLocations(positions: readonly number[]): Promise<Map<number, Chunk[]>> {
        const wanted = positions.map((position) => ({ kind: 'location' as const, position }));
        if (wanted.length === 0) return new Map();
        const chunks = await reader.read(edition, language, wanted);
        return new Map(positions.map((position, index) => [position, chunks[index] ?? []]));
      }
    },
  };

  function writeFields({ form, position, text }: Source, selection: Selection, slots: Slots): Chunk[] {
    const record: Readonly<Record<string, unknown>> = JSON.parse(withoutMarks(withBaseUrl(text)));
    const chunks = Object.entries(selection).flatMap(([field, inner], index) => {
      const name = `${index === 0 ? '' : ','}${JSON.stringify(field)}:`;
      const slot = SLOTS[form]?.[field];
      if (slot === undefined) return [name + JSON.stringify(pick(record[field], inner))];
      const embedded = slots
        .embeddedIn(form, position, slot)
        .map((each) => (inner === 'all' ? writeWhole(each, slots) : writeFields(each, inner, slots)));
      if (field === 'location') return [name, ...(embedded[0] ?? ['null'])];
      return [`${name}[`, ...embedded.flatMap((each, place) => (place === 0 ? each : [',', ...each])), ']'];
    });
    return ['{', ...chunks, '}'];
  }

  function writeWhole({ form, position, text }: Source, slots: Slots): Chunk[] {
    return form === 'location' ? slots.wholeLocation(position) : [withBaseUrl(text)];
  }

  function withBaseUrl(text: string): string {
    return text.replaceAll(BASE_URL_MARK, baseUrl);
  }
}

/** What is asked for of a value that is no slot: all of it, or some fields of the object or objects that it is. */
function pick(value: unknown, selection: Selection | 'all'): unknown {
  if (selection === 'all' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => pick(each, selection));
  const fields = new Map(Object.entries(value));
  return Object.fromEntries(
    Object.entries(selection).map(([field, inner]) => [field, pick(fields.get(field), inner)]),
  );
}

function wantsSlots(form: Form, selection: Selection): boolean {
  return Object.keys(SLOTS[form] ?? {}).some((field) => selection[field] !== undefined);
}

function positionsOf(texts: readonly Source[], form: Form): number[] {
  return [...new Set(texts.filter((text) => text.form === form).map(({ position }) => position))];
}

function slotKey(form: string, source: number, embedded: Form): string {
  return `${embedded} in ${form} ${source}`;
}
