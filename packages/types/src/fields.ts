/** A record, or a part of one, with unchecked fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value says nothing: null, no text, an empty list, or no value. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** The name of a record: its `title` or `name`. */
export function nameOfRecord(record: object): string {
  if ('title' in record && typeof record.title === 'string') return record.title;
  return 'name' in record && typeof record.name === 'string' ? record.name : '';
}

/** The uuid of an embedded record; any other value, such as a reference, as it is. */
export function uuidIn(value: unknown): unknown {
  return isObject(value) && 'uuid' in value ? value['uuid'] : value;
}

/**
 * Whether a person has facts that only people have: two names, a gender or dates. Archives keep institutions as
 * persons, with their whole name in one field.
 */
export function hasPersonalFacts(person: object): boolean {
  const has = (name: string) => Boolean(Reflect.get(person, name));
  return (has('first_name') && has('last_name')) || ['gender', 'birth_date', 'death_date'].some(has);
}

/** Other words for the values of `gender` that search, facets and pages of archives use. */
export const GENDERS: readonly (readonly [gender: string, words: readonly string[]])[] = [
  ['male', ['male', 'm', 'man', 'mannelijk', 'heer']],
  ['female', ['female', 'f', 'v', 'vrouw', 'vrouwelijk', 'woman', 'w', 'mevrouw']],
];
