import {
  BRIEF_FIELDS,
  FIELD_SHAPES,
  hasField,
  type Kind,
  mergedShape,
  selectedNames,
  selectFields,
} from '@archiefkast/types';
import { nearestName } from '../../nearest-name.ts';
import { type Selections, selectionsOf } from '../../read/field-reader.ts';
import { didYouMean } from '../problems/bilingual.ts';
import { Problem } from '../problems/problems.ts';

/** The name of the short sets of fields. */
const BRIEF = 'brief';

/** What records of any kind have. */
const EVERY_FIELD = mergedShape();

/**
 * The names of fields in their one form: in the contract's order, each once, and none that another one holds.
 *
 * @throws Problem for a field that no record has
 */
export function readFields(text: string): string {
  const names = text.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === BRIEF) return BRIEF;
  const unknown = names.find((name) => !hasField(EVERY_FIELD, name));
  if (unknown !== undefined) throw noSuchField(unknown, Object.keys(EVERY_FIELD));
  return selectedNames(selectFields(EVERY_FIELD, names)).join(',');
}

/**
 * What a request asks for of its records; undefined where that is all of them.
 *
 * @param kinds the kinds of records that it can be answered with
 * @throws Problem for a field that none of these has
 */
export function selectionsAsked(parameters: URLSearchParams, kinds: readonly Kind[]): Selections | undefined {
  const text = parameters.get('fields');
  if (text === null) return undefined;
  if (text === BRIEF) return selectionsOf((kind) => BRIEF_FIELDS[kind]);
  const names = text.split(',');
  const unknown = names.find((name) => !kinds.some((kind) => hasField(FIELD_SHAPES[kind], name)));
  if (unknown !== undefined) throw noSuchField(unknown, Object.keys(mergedShape(kinds)));
  return selectionsOf(() => names);
}

function noSuchField(name: string, fields: readonly string[]): Problem {
  const nearest = nearestName(name, fields);
  const { en, nl } = didYouMean(nearest);
  const list = fields.join(', ');
  return new Problem(
    'invalid-fields',
    { en: `There is no field "${name}"${en}`, nl: `Er is geen veld "${name}"${nl}` },
    {
      en: `fields=${BRIEF}, or some of ${list}, with commas between; of what is embedded, fields such as location.name`,
      nl: `fields=${BRIEF}, of enkele van ${list}, met komma's ertussen; van wat is ingebed velden als location.name`,
    },
    { fields, ...(nearest !== undefined && { nearest }) },
  );
}
