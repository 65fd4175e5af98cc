import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';

export interface SheetPlace {
  /** From 1. */
  row: number;
  /** From 0; absent for a whole row. */
  column?: number;
}

export class WorkbookError extends Error {
  override name = 'WorkbookError';
  /** The row or cell of the sheet being read; absent for a fault of the whole file or sheet. */
  place?: SheetPlace;
}

export interface Part {
  name: string;
  stream: Readable;
}

export type Attributes = Readonly<Record<string, string>>;

/** Handles the elements of a part of a workbook; names have no prefix. */
export interface XmlHandler {
  /** @param parent the element that it is in */
  open?(name: string, attributes: Attributes, parent: string): void;
  /** @param text for `c` and `si`: the texts and values in it, without phonetic readings */
  close?(name: string, text: string): void;
  /** @param text of a formula, which may come in pieces */
  formula?(text: string): void;
}

/** Characters parsed at a time: 40 of them can make a row of 16,384 cells, which is 131 kB. */
const PIECE = 1024;

/** Maximum length of a tag, a comment or a text, which the parser holds in memory, give or take a piece. */
const LONGEST = 1024 * 1024;

const DEEPEST = 64;

/**
 * Parses the XML of a part as a stream; yields after every piece, so that the caller can process the output of the handler.
 *
 * @param longest maximum length of the text of a cell
 * @throws WorkbookError if it is not valid XML, or contains what no workbook does
 */
export async function* parseXml(
  { name: part, stream }: Part,
  handler: XmlHandler,
  longest = LONGEST,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ position: false, xmlns: false });
  const refuse = (reason: string): never => {
    throw new WorkbookError(reason);
  };
  let unclosed = 0;
  let text = '';
  const path: string[] = [];
  const onText = (more: string) => {
    unclosed = 0;
    if (path.at(-1) === 'f') handler.formula?.(more);
    if (!/^[tv]$/.test(path.at(-1) ?? '') || path.at(-2) === 'rPh') return;
    text += more;
    if (text.length > longest)
      refuse(`has a text of more than ${longest} characters; spreadsheets allow 32767 in a cell`);
  };
  parser.on('error', (error) => refuse(`is damaged: ${part}: ${error.message}`));
  parser.on('doctype', () => refuse(`has a DOCTYPE in ${part}; expected none`));
  parser.on('opentag', ({ name, attributes }) => {
    unclosed = 0;
    const local = localName(name);
    if (local === 'c' || local === 'si') text = '';
    handler.open?.(local, attributes, path.at(-1) ?? '');
    if (path.push(local) > DEEPEST) refuse(`has elements nested deeper than ${DEEPEST} levels in ${part}`);
  });
  parser.on('closetag', ({ name }) => {
    path.pop();
    handler.close?.(localName(name), text);
  });
  parser.on('text', onText);
  parser.on('cdata', onText);
  for await (const piece of piecesOf(part, stream)) {
    unclosed += piece.length;
    parser.write(piece);
    if (unclosed > LONGEST)
      refuse(`has a tag, comment or text of more than ${LONGEST} characters in ${part}`);
    yield;
  }
  parser.close();
  yield;
}

/** Parses the XML of a part to its end. @throws WorkbookError as `parseXml` */
export async function parseAll(part: Part, handler: XmlHandler, longest?: number): Promise<void> {
  for await (const _ of parseXml(part, handler, longest));
}

/** Converts an error of the zip file into a WorkbookError. System errors are returned unchanged. */
export function damaged(error: unknown, part?: string): unknown {
  if (!(error instanceof Error) || error instanceof WorkbookError || 'syscall' in error) return error;
  return new WorkbookError(`is damaged: ${part === undefined ? '' : `${part}: `}${error.message}`);
}

async function* piecesOf(part: string, stream: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const text = decoder.decode(chunk, { stream: true });
      for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
    }
  } catch (error) {
    throw damaged(error, part);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
