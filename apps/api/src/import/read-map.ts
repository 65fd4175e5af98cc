import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isMissing } from '@archiefkast/system';
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { z } from 'zod';
import { FaultList, type Origin } from '../publish/bundle/faults.ts';
import { describeMissing } from '../publish/bundle/open-bundle.ts';
import { fieldName } from '../publish/bundle/record-schemas.ts';
import { hintOf, type ImportMap, mapSchema } from './import-map.ts';

/** A valid map, with the origin of everything in it. */
export interface OpenMap {
  map: ImportMap;
  /** The file, line and column of what stands at a path of the map. */
  at(path: readonly PropertyKey[]): Origin;
}

/**
 * Reads a map: YAML in which every scalar is a text, so that `1852`, `no` and `2020-01-01` stay what they are.
 *
 * @throws BundleError with line and column of everything that is not valid; the error of reading the file
 */
export async function readMap(path: string): Promise<OpenMap> {
  const file = basename(path);
  const faults = new FaultList('map');
  const lines = new LineCounter();
  const text = await readFile(path, 'utf8').catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    faults.add({ file: path, reason: await describeMissing(path, 'a map, which import --draft writes') });
    throw faults.error();
  });
  const document = parseDocument(text, {
    lineCounter: lines,
    schema: 'failsafe',
    prettyErrors: false,
  });
  const place = (offset: number): Origin => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  for (const { pos, message } of [...document.errors, ...document.warnings]) {
    faults.add({ ...place(pos[0]), reason: `is not YAML: ${message}` });
  }
  faults.throwIfAny();
  const at = (steps: readonly PropertyKey[]): Origin => ({
    ...place(offsetOf(document, steps)),
    ...(steps.length > 0 ? { field: fieldName(steps) } : {}),
  });
  const parsed = mapSchema.safeParse(resolvedValue(document, (reason) => faults.add({ ...at([]), reason })));
  faults.throwIfAny();
  if (parsed.success) return { map: parsed.data, at };
  for (const issue of parsed.error.issues) addIssue(issue, at, faults);
  throw faults.error();
}

/** The value of a document; undefined, with a fault, if its aliases refer to nothing, or to too much. */
function resolvedValue(document: Document, onFault: (reason: string) => void): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    onFault(`is not YAML: ${error.message}`);
    return undefined;
  }
}

function addIssue(issue: z.core.$ZodIssue, at: OpenMap['at'], faults: FaultList): void {
  if (issue.code === 'unrecognized_keys') {
    const hint = (key: string) => (issue.path.length === 0 ? hintOf(key, Object.keys(mapSchema.shape)) : '');
    for (const key of issue.keys) {
      faults.add({ ...at([...issue.path, key]), reason: `is not known here${hint(key)}` });
    }
    return;
  }
  const reason = issue.message.endsWith('received undefined')
    ? 'is missing'
    : issue.message
        .replace(/^Invalid (?:input|option): /, '')
        .replace('expected record', 'expected names with values')
        .replace(', received', ', got');
  faults.add({ ...at(issue.path), reason });
}

/** The offset of the last key or item of a path that the document has. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const step of path) {
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === step) : undefined;
    const item = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
    offset = startOf(pair?.key ?? item) ?? offset;
    node = pair?.value ?? item;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  const found: Node | undefined = isNode(node) ? node : undefined;
  return found?.range?.[0];
}
