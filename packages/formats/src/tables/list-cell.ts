/** Several values in one cell, joined by `|`; a `|` or `\` in a value has a `\` before it. */
export function joinList(values: readonly string[]): string {
  return values.map((value) => value.replaceAll(/[\\|]/g, '\\$&')).join('|');
}

/** The values of a cell, without the spaces around them; empty ones are left out. */
export function splitList(cell: string): string[] {
  const parts = cell.match(/(?:[^\\|]|\\[\s\S]?)+/g) ?? [];
  return parts.map((part) => part.replaceAll(/\\([\\|])/g, '$1').trim()).filter((part) => part !== '');
}
