/** The fields of a record, in the contract's order; nested for fields that contain records or files. */
export interface FieldShape {
  readonly [field: string]: FieldShape | null;
}

/** The requested fields of a record: each in full, or some of its nested fields. In the contract's order. */
export interface Selection {
  readonly [field: string]: Selection | 'all';
}

/** Selects fields by name, such as `name` and `location.name`; unknown names are ignored. */
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

export function hasField(shape: FieldShape | null | undefined, name: string): boolean {
  if (!shape) return false;
  const [field = '', ...below] = name.split('.');
  return Object.hasOwn(shape, field) && (below.length === 0 || hasField(shape[field], below.join('.')));
}
