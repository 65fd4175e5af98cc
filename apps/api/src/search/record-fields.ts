/** A record as the search index sees it: the JSON object of the API. Embedded records are not looked at. */
export type RecordFields = Readonly<Record<string, unknown>>;

/**
 * The columns of a record's text, with the weight of a word in each. The largest is first, where FTS5 takes least
 * room.
 */
export const TEXT_COLUMNS = [
  { name: 'body', weight: 1 },
  { name: 'footnotes', weight: 0.25 },
  { name: 'name', weight: 10 },
  { name: 'summary', weight: 4 },
  { name: 'place', weight: 3 },
  { name: 'captions', weight: 0.5 },
] as const;

/** A field's value as text; `""` when it is absent or not a plain value. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
