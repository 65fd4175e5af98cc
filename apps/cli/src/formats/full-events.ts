import { setImmediate as nextTurn } from 'node:timers/promises';
import { FolderError, type HarvestStore } from '@archiefkast/client/node';
import type { Kind } from '@archiefkast/types';
import { RECORD_FIELDS } from '@archiefkast/types/internal';
import type { Fields } from '@archiefkast/types/internal/fields';
import { uuidOfReference } from '@archiefkast/types/links';

/**
 * The lines of abbreviated events with the records that their addresses lead to, as the contract has them, in parts: a line may be
 * too long for the memory.
 *
 * @throws FolderError if such a record is missing
 */
export async function* fullEventLines(store: HarvestStore): AsyncGenerator<string | Buffer, void, void> {
  const finders = {
    persons: createLineFinder(store, 'person'),
    location: createLineFinder(store, 'location'),
  };
  for (const event of store.contents('event')) {
    await nextTurn();
    const { subjects: _, ...fields }: Fields = event;
    const names = new Set([...RECORD_FIELDS.event, ...Object.keys(fields)]);
    let separator = '{';
    for (const name of names) {
      yield `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      if (name === 'persons') yield* listOf([event['persons']].flat().map(finders.persons));
      else if (name === 'location' && event['location'] !== null) yield finders.location(event['location']);
      else yield JSON.stringify(event[name]);
    }
    yield '}\n';
  }
}

function* listOf(lines: readonly Buffer[]): Generator<string | Buffer, void, void> {
  for (const [index, line] of lines.entries()) {
    yield index === 0 ? '[' : ',';
    yield line;
  }
  yield lines.length === 0 ? '[]' : ']';
}

/** Creates the function that finds the line of a record by its address, without the line feed. The last page is kept. */
function createLineFinder(store: HarvestStore, kind: Kind): (reference: unknown) => Buffer {
  const places = new Map<string, { page: number; line: number }>();
  let last = { page: 0, line: 0 };
  for (const { uuid, page } of store.records(kind)) {
    last = { page, line: page === last.page ? last.line + 1 : 0 };
    places.set(uuid, last);
  }
  let read: { page: number; lines: Buffer[] } = { page: 0, lines: [] };
  return (reference) => {
    const place = places.get(uuidOfReference(String(reference)) ?? '');
    if (place && place.page !== read.page)
      read = { page: place.page, lines: linesIn(store.block(kind, place.page)) };
    const line = place && read.lines[place.line];
    if (!line) throw new FolderError(`${store.path} has no ${kind} ${String(reference)}, which an event has`);
    return line;
  };
}

/** The lines of a block, without their line feeds. */
function linesIn(block: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let begin = 0; begin < block.length; ) {
    const end = block.indexOf('\n', begin);
    lines.push(block.subarray(begin, end));
    begin = end + 1;
  }
  return lines;
}
