import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { describeMissing, FaultList, fieldName, type Origin, reasonOf } from '@archiefkast/bundle';
import { hintOf } from '@archiefkast/bundle/nearest-name';
import { isMissing } from '@archiefkast/system';
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml';
import type { z } from 'zod';
import { type ImportMap, mapSchema } from './import-map.ts';

/** A valid map, with the origin of everything in it. */
export interface OpenMap {
  map: ImportMap;
  /** The file, line and column of what stands at a path of the map. */
  at(path: readonly PropertyKey[]): Origin;
}

/** Limit of a map, in bytes. */
const MOST_BYTES = 2 ** 20;

/** The first pair of each key that is a text, of each object of a document. */
type Pairs = ReadonlyMap<YAMLMap, ReadonlyMap<unknown, Pair>>;

/**
 * Reads a map: YAML in which every scalar is a text, so that `1852`, `no` and `2020-01-01` stay what they are, and nothing refers
 * to another place. The time is linear in its length.
 *
 * @throws BundleError with line and column of everything that is not valid; the error of reading the file
 */
export async function readMap(path: string): Promise<OpenMap> {
  const file = basename(path);
  const faults = new FaultList('map');
  const lines = new LineCounter();
  const { size } = await stat(path).catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    faults.add({ file: path, reason: await describeMissing(path, 'a map, which import --draft writes') });
    throw faults.error();
  });
  if (size > MOST_BYTES) faults.add({ file, reason: `is larger than ${MOST_BYTES / 2 ** 20} MiB` });
  faults.throwIfAny();
  const text = await readFile(path, 'utf8');
  const document = parseDocument(text, {
    lineCounter: lines,
    schema: 'failsafe',
    prettyErrors: false,
    // The library compares each key with each.
    uniqueKeys: false,
  });
  const place = (offset: number): Origin => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  // The first causes the others.
  const [wrong] = [...document.errors, ...document.warnings];
  if (wrong) {
    const start = openedAt(wrong, text);
    faults.add({ ...place(start), reason: inPlainWords(wrong, text, start) });
  }
  faults.throwIfAny();
  const pairs = new Map<YAMLMap, ReadonlyMap<unknown, Pair>>();
  const refuseMark = (text: string, offset = 0) => {
    const reason = `put ${text} in quotes: ${text.charAt(0)} in front of a text has a meaning in YAML`;
    faults.add({ ...place(offset), reason });
  };
  const readPairs = ({ items }: YAMLMap) => {
    const known = new Map<unknown, Pair>();
    for (const pair of items) {
      if (!isScalar(pair.key)) continue;
      const { value, range } = pair.key;
      const reason = `"${value}" stands twice in one place`;
      if (known.has(value)) faults.add({ ...place(range?.[0] ?? 0), reason });
      else known.set(value, pair);
    }
    return known;
  };
  visit(document, {
    Alias(_, { source, range }) {
      refuseMark(`*${source}`, range?.[0]);
    },
    Value(_, node) {
      const mark = `&${node.anchor}`;
      if (node.anchor) refuseMark(mark, text.lastIndexOf(mark, node.range?.[0]));
      if (isMap(node)) pairs.set(node, readPairs(node));
    },
  });
  faults.throwIfAny();
  const at = (steps: readonly PropertyKey[]): Origin => ({
    ...place(offsetOf(document, pairs, steps)),
    ...(steps.length > 0 ? { field: fieldName(steps) } : {}),
  });
  const parsed = mapSchema.safeParse(document.toJS());
  if (parsed.success) return { map: parsed.data, at };
  for (const issue of parsed.error.issues) addIssue(issue, at, faults);
  throw faults.error();
}

/** What is wrong by the code of an error of YAML, with the text at its place for `$`. */
const WRONG: Readonly<Record<string, string>> = {
  BLOCK_IN_FLOW: 'put "$" in quotes: it has a meaning in YAML',
  BAD_SCALAR_START: 'put "$" in quotes: its first character has a meaning in YAML',
  TAG_RESOLVE_FAILED: 'put "$" in quotes: its first character has a meaning in YAML',
  UNEXPECTED_TOKEN: '"$" is not expected here: a comma or a bracket before it is missing, or it needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'put "$" in quotes, as it has a colon; or indent the next line as this one',
  MISSING_CHAR: 'has a quote that is not closed: $',
  BAD_INDENT: 'is not indented as the lines that it belongs to',
  TAB_AS_INDENT: 'is indented by a tab; use spaces',
  MULTIPLE_DOCS: 'has several documents; expected one, without --- between',
  RESOURCE_EXHAUSTION: 'is nested too deeply',
  BAD_DQ_ESCAPE: 'has a backslash in double quotes; write it twice, or use single quotes',
};

/** The offset of an error of YAML: of the bracket or quote that is not closed, which is reported where the text ends. */
function openedAt({ code, pos: [start], message }: YAMLParseError | YAMLWarning, text: string): number {
  if (code === 'MISSING_CHAR')
    return Math.max(0, text.lastIndexOf(message.includes('"') ? '"' : "'", start - 1));
  if (code !== 'BAD_INDENT' || !message.startsWith('Flow')) return start;
  const before = text.slice(0, start).replaceAll(/ #.*/g, (comment) => ' '.repeat(comment.length));
  let depth = 0;
  for (let at = start - 1; at >= 0; at -= 1) {
    if (/[}\]]/.test(before.charAt(at))) depth += 1;
    else if (/[{[]/.test(before.charAt(at)) && depth-- === 0) return at;
  }
  return start;
}

/** What is wrong with YAML, without its terms. */
function inPlainWords({ code, message }: YAMLParseError | YAMLWarning, text: string, start: number): string {
  const rest = text.slice(start, start + 80);
  const [found = ''] = (/^BLOCK|MISSING/.test(code) ? /^[^,}\]\n]*/ : /^(?:[^\s,:}\]]+|\S)/).exec(rest) ?? [];
  const isOpen = /^[{[]/.test(rest) && code === 'BAD_INDENT';
  const [, comment = ''] = / (#.*)/.exec(isOpen ? (rest.split('\n', 1)[0] ?? '') : '') ?? [];
  const note = comment === '' ? '' : `, as ${comment} is a comment unless it is in quotes`;
  if (isOpen) return `has a ${rest.charAt(0)} that is not closed${note}`;
  return WRONG[code]?.replace('$', () => found.trim()) ?? `is not YAML: ${message}`;
}

function addIssue(issue: z.core.$ZodIssue, at: OpenMap['at'], faults: FaultList): void {
  if (issue.code === 'unrecognized_keys') {
    const hint = (key: string) => (issue.path.length === 0 ? hintOf(key, Object.keys(mapSchema.shape)) : '');
    for (const key of issue.keys) {
      const space = /^\w+:\S/.test(key) ? '; put a space after the colon' : '';
      faults.add({ ...at([...issue.path, key]), reason: `is not known here${hint(key) || space}` });
    }
    return;
  }
  const reason = issue.message.endsWith('received undefined')
    ? 'is missing'
    : reasonOf(issue).replace('expected record', 'expected names with values');
  faults.add({ ...at(issue.path), reason });
}

/** The offset of the last key or item of a path that the document has. */
function offsetOf(document: Document, pairs: Pairs, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const step of path) {
    const pair = isMap(node) ? pairs.get(node)?.get(step) : undefined;
    const item = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
    offset = startOf(pair?.key ?? item) ?? offset;
    node = pair?.value ?? item;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
