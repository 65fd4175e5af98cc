/** What a spreadsheet takes a text of CSV for a formula by, at its beginning. */
const SIGNS = '=+-@\t\r';

/** Signed numbers are numbers, and a sign alone is a text. */
const NUMBER = /^[+-]?\d+([.,]\d+)?$/;

/** The tags that HTML begins with; CSV has what comes after them. */
const TAGS = /^(?:\s*<[^<>]*>)+/;

/** Characters of HTML in which its text is looked for. */
const HEAD = 200;

/**
 * The texts of a record, its images and files among them, that a spreadsheet would take for formulas when it opens them
 * as CSV: the names of their fields, and the sign that each begins with.
 */
export function* formulaFields(
  fields: Readonly<Record<string, unknown>>,
  within = '',
): Generator<{ field: string; sign: string }> {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') {
      const text = value.startsWith('<') ? value.slice(0, HEAD).replace(TAGS, '') : value;
      if (isFormula(text)) yield { field: within + name, sign: text.charAt(0) };
    } else if (Array.isArray(value)) {
      for (const [place, one] of value.entries()) {
        if (isObject(one)) yield* formulaFields(one, `${within}${name}[${place}].`);
      }
    } else if (isObject(value)) yield* formulaFields(value, `${within}${name}.`);
  }
}

function isFormula(text: string): boolean {
  return text.length > 1 && SIGNS.includes(text.charAt(0)) && !NUMBER.test(text);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
