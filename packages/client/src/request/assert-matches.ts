/** A fault that a schema found; `code` is `unrecognized_keys` for a field that the schema does not know. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What this library needs of a schema: its own shapes, and the zod schemas of `@archiefkast/types`, fit. */
export interface Schema<T> {
  /** Never read: tells the compiler what the values are. */
  readonly _output?: T;
  safeParse(value: unknown): { success: true } | { success: false; error: { issues: readonly Issue[] } };
}

/** A value is not what the schema says; the message names the fields and the reasons. */
export class MismatchError extends Error {
  override name = 'MismatchError';
}

/** Faults that are named in the message; more are counted. */
const NAMED_ISSUES = 3;

/**
 * Checks a value against a schema and leaves it as it is, so that it is kept exactly as it came.
 *
 * @param lenient accept fields that the schema does not know
 * @throws MismatchError
 */
export function assertMatches<T>(schema: Schema<T>, value: unknown, lenient: boolean): asserts value is T {
  const result = schema.safeParse(value);
  if (result.success) return;
  const issues = lenient
    ? result.error.issues.filter((issue) => issue.code !== 'unrecognized_keys')
    : result.error.issues;
  if (issues.length === 0) return;
  const named = issues.slice(0, NAMED_ISSUES).map(({ path, message }) => `${pathText(path)}: ${message}`);
  const more = issues.length > NAMED_ISSUES ? `; and ${issues.length - NAMED_ISSUES} more` : '';
  throw new MismatchError(named.join('; ') + more);
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map(String).join('.') || 'the whole response';
}
