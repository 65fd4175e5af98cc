/** The fields of a record, in the contract's order; of a field that holds records or files, their fields. */
export interface FieldShape {
  readonly [field: string]: FieldShape | null;
}

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
export function hasField(shape: FieldShape | null | undefined, name: string): boolean {
  if (!shape) return false;
  const [field = '', ...below] = name.split('.');
  return Object.hasOwn(shape, field) && (below.length === 0 || hasField(shape[field], below.join('.')));
}
