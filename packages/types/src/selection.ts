import type { FieldShape } from './field-shapes.ts';

/** Which fields of a record are asked for: of each, all that it holds, or some of that. In the contract's order. */
export interface Selection {
  readonly [field: string]: Selection | 'all';
}

/**
 * The fields that `names` ask for, such as `name` and `location.name`; those that the records do not have are left out.
 */
export function selectFields(shape: FieldShape, names: readonly string[]): Selection {
  const selection: Record<string, Selection | 'all'> = {};
  for (const [field, inner] of Object.entries(shape)) {
    if (names.includes(field)) {
      selection[field] = 'all';
    } else if (inner) {
      const prefix = `${field}.`;
      const below = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
      const some = selectFields(inner, below);
      if (Object.keys(some).length > 0) selection[field] = some;
    }
  }
  return selection;
}

/** The names of the fields of a selection, such as `name` and `location.name`. */
export function selectedNames(selection: Selection): string[] {
  return Object.entries(selection).flatMap(([field, inner]) =>
    inner === 'all' ? [field] : selectedNames(inner).map((name) => `${field}.${name}`),
  );
}

/** Whether records have a field of this name. */
export function hasField(shape: FieldShape, name: string): boolean {
  const [field = '', ...below] = name.split('.');
  if (!Object.hasOwn(shape, field)) return false;
  const inner = shape[field];
  return below.length === 0 || (inner != null && hasField(inner, below.join('.')));
}
