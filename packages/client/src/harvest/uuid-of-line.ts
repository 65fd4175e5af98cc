/** The uuid of a record's line, in lower case; `""` when it carries none. */
export function uuidOfLine(line: Buffer): string {
  const record: unknown = JSON.parse(line.toString());
  if (typeof record !== 'object' || record === null || !('uuid' in record)) return '';
  return String(record.uuid).toLowerCase();
}
