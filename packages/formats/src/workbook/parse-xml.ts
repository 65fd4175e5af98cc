import type { Readable } from 'node:stream';
import sax, { type SAXParser } from 'sax';
import { type SheetPlace, WorkbookError } from './workbook-limits.ts';

/** A part of a workbook. */
export interface Part {
  name: string;
  stream: Readable;
  /** Whether its compression ratio is normal for a spreadsheet program. */
  isDense: boolean;
  /** Maximum number of characters beyond twice those of the kept texts, if it is not dense. */
  markup: number;
  /** Maximum nesting of elements. */
  depth: number;
}

/** Handles the parsed XML of a part of a workbook; names have no prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  /** Handles a text, or a piece of one. @returns whether it is kept; otherwise it counts as markup */
  text?(text: string): boolean;
  /** The current row or cell, for messages. */
  place?(): SheetPlace | undefined;
}

/** The parser, with the properties for declarations that its types lack. */
type Parser = SAXParser & { sgmlDecl?: string; doctype?: string | boolean };

/** Characters parsed at a time, which bounds the memory for their content. */
const PIECE = 4 * 1024;

/** Maximum length of a tag, a comment or a run of comments. */
const LONGEST_TAG = 1024 * 1024;

/**
 * A streaming XML parser; yields after every piece, so that the caller can process the output of the handler. Time and
 * memory are bounded by the size of the kept texts and the limits of the part.
 *
 * @throws WorkbookError if it is not valid XML, or contains what no workbook does
 */
export async function* parseXml(part: Part, handler: XmlHandler): AsyncGenerator<void> {
  const parser: Parser = sax.parser(true, { position: false });
  const refuse = (reason: string): never => {
    throw new WorkbookError(reason, handler.place?.());
  };
  let markup = 0;
  let unclosed = 0;
  let depth = 0;
  const onText = (text: string): void => {
    unclosed = 0;
    if (handler.text?.(text)) markup -= 2 * text.length;
  };
  parser.onerror = (error) => refuse(`is damaged: ${error.message.split('\n', 1)[0]}`);
  parser.onopentag = ({ name, attributes }) => {
    unclosed = 0;
    depth += 1;
    if (depth > part.depth) {
      refuse(`has elements nested deeper than ${part.depth} levels in ${part.name}`);
    }
    handler.open?.(localName(name), attributes as Record<string, string>);
  };
  parser.onclosetag = (name) => {
    depth -= 1;
    handler.close?.(localName(name));
  };
  parser.ontext = onText;
  parser.oncdata = onText;
  for await (const piece of piecesOf(part)) {
    markup += piece.length;
    unclosed += piece.length;
    parser.write(piece);
    // Emits text immediately; otherwise the parser would buffer all of a long one.
    parser.flush();
    if (parser.doctype || (parser.sgmlDecl ?? '').length > 'DOCTYPE'.length) {
      refuse(`has a DOCTYPE, or another declaration, in ${part.name}; expected none`);
    }
    if (unclosed > LONGEST_TAG) {
      refuse(`has a tag or comment of more than ${LONGEST_TAG} characters in ${part.name}`);
    }
    if (!part.isDense && markup > part.markup) {
      refuse(
        `unzips to many times its size in ${part.name}, with little text in it; ` +
          'open it in a spreadsheet program and save it again',
      );
    }
    yield;
  }
  parser.close();
  yield;
}

/** Parses all of a small part. */
export async function parseWhole(part: Part, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(part, handler));
}

/** Converts an error of the zip file into a WorkbookError. System errors are returned unchanged. */
export function damaged(error: unknown, part?: string): unknown {
  if (!(error instanceof Error) || error instanceof WorkbookError || 'syscall' in error) return error;
  return new WorkbookError(`is damaged: ${part === undefined ? '' : `${part}: `}${error.message}`);
}

async function* piecesOf({ name, stream }: Part): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const text = decoder.decode(chunk, { stream: true });
      for (let at = 0; at < text.length; at += PIECE) yield text.slice(at, at + PIECE);
    }
  } catch (error) {
    throw damaged(error, name);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
