/** A validation error; `code` is `unrecognized_keys` for an unknown field. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** A schema of responses. */
export interface Schema<T> {
  /** Type of the values; never read at run time. */
  readonly _output?: T;
  safeParse(value: unknown): { success: true } | { success: false; error: { issues: readonly Issue[] } };
}

/** A value does not match its schema; the message lists fields and reasons. */
export class MismatchError extends Error {
  override name = 'MismatchError';
}

/** Maximum number of errors in the message; more are counted. */
const NAMED_ISSUES = 3;

/**
 * Checks a value against a schema, without changing it.
 *
 * @param lenient accept unknown fields
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
