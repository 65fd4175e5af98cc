import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

/** A place at which two bodies, files or outputs differ, and what stands there. */
export interface Difference {
  /** A header, a JSON path (`facets.city[2].count`), or a line. */
  field: string;
  before: string;
  now: string;
}

/** Above it the rest of a body is one difference, which no line of accepted.txt can name. */
const MOST = 1_000;

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** In what two bodies differ, by JSON path if they are JSON, else by line. */
export function compareBodies(before: Buffer, now: Buffer, coding = 'identity'): Difference[] {
  if (before.equals(now)) return [];
  const decode = DECODERS[coding] ?? ((body: Buffer) => body);
  const texts = [before, now].map((body) => decode(body).toString('latin1')) as [string, string];
  if (texts[0] === texts[1]) return [{ field: `bytes of ${coding}`, before: size(before), now: size(now) }];
  return compareTexts(...texts);
}

/** In what two different texts differ. A character is a byte, except in what is shown. */
function compareTexts(before: string, now: string): Difference[] {
  const found = compareAsJson(before, now) ?? compareLines(before, now);
  const shown = found.map((each) => ({ ...each, before: readable(each.before), now: readable(each.now) }));
  const rest = { field: 'more', before: `${MOST} differences`, now: `${found.length - MOST} more` };
  return shown.length > MOST ? [...shown.slice(0, MOST), rest] : shown;
}

function compareAsJson(before: string, now: string): Difference[] | undefined {
  const [first, second] = [parse(before), parse(now)];
  if (first === undefined || second === undefined) return undefined;
  const found = compareValues('', first, second);
  // The same values in another form, such as 1.0 in place of 1.
  return found.length > 0 ? found : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function compareValues(path: string, before: unknown, now: unknown): Difference[] {
  if (Array.isArray(before) && Array.isArray(now)) {
    const length = Math.max(before.length, now.length);
    return Array.from({ length }, (_, at) => compareValues(`${path}[${at}]`, before[at], now[at])).flat();
  }
  if (isObject(before) && isObject(now)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    const found = names.flatMap((name) =>
      compareValues(path ? `${path}.${name}` : name, before[name], now[name]),
    );
    const orders = [before, now].map((each) => Object.keys(each).join(', ')) as [string, string];
    if (found.length > 0 || orders[0] === orders[1]) return found;
    return [{ field: `${path} (order)`, before: orders[0], now: orders[1] }];
  }
  return Object.is(before, now) ? [] : [{ field: path, before: show(before), now: show(now) }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lines of one text that the other lacks, paired in their order; a tag of HTML or XML counts as a line. */
function compareLines(before: string, now: string): Difference[] {
  const lines = [before, now].map((text) => text.split(/(?<=\n)|(?<=>)(?=<)/)) as [string[], string[]];
  const [less, more] = [lacking(lines[0], lines[1]), lacking(lines[1], lines[0])];
  if (less.length === 0 && more.length === 0) {
    const at = lines[0].findIndex((line, index) => line !== lines[1][index]);
    return [{ field: `line ${at + 1} (order)`, before: show(lines[0][at]), now: show(lines[1][at]) }];
  }
  return Array.from({ length: Math.max(less.length, more.length) }, (_, index) => {
    const [old, young] = [less[index], more[index]];
    const [first, second] = aroundChange(old?.line ?? '', young?.line ?? '');
    const inner = old && young ? compareAsJson(old.line, young.line) : undefined;
    const field = `line ${(old ?? young)?.number}`;
    if (inner) return inner.map((each) => ({ ...each, field: `${field}: ${each.field}` }));
    return [{ field, before: old ? first : '', now: young ? second : '' }];
  }).flat();
}

function lacking(lines: readonly string[], others: readonly string[]): { number: number; line: string }[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.flatMap((line, index) => {
    const left = counts.get(line) ?? 0;
    counts.set(line, left - 1);
    return left > 0 ? [] : [{ number: index + 1, line }];
  });
}

/** Two long lines from a little before their first different character. */
function aroundChange(before: string, now: string): [string, string] {
  let at = 0;
  while (at < before.length && before[at] === now[at]) at += 1;
  const start = Math.max(0, at - 60);
  return [before.slice(start), now.slice(start)];
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing');
}

function readable(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString();
}

function size(body: Buffer): string {
  return `${body.length} bytes`;
}
