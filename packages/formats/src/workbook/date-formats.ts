/** Numbers of the built-in formats that show a day (ECMA-376 part 1, 18.8.30, with those of East Asia). */
const BUILT_IN = new Set([14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]);

/** Whether numbers of this format are days: a built-in number, or the code of a format of the workbook's own. */
export function isDateFormat(number: number, code: string | undefined): boolean {
  if (code === undefined) return BUILT_IN.has(number);
  // An open quote or bracket takes the rest: looked for its end at every one, `[[[[…` would take time without bound.
  const [shown = ''] = code.replaceAll(/"[^"]*"?|\\.|\[[^\]]*\]?|_.|\*./g, '').split(';', 1);
  return /[dy]/i.test(shown);
}
