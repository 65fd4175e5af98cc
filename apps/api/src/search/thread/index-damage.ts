/** SQLite's codes for a file that is not what it was written as: IOERR, CORRUPT, NOTADB. */
const DAMAGE = [10, 11, 26];

/** Whether an error of SQLite says that the file is damaged, rather than that it cannot be opened now. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  // The low byte of an extended code is the code that it extends.
  return typeof error.errcode === 'number' && DAMAGE.includes(error.errcode & 0xff);
}
