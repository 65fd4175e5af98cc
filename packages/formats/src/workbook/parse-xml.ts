import type { Readable } from 'node:stream';
import sax, { type SAXParser } from 'sax';
import { type SheetPlace, WorkbookError } from './workbook-limits.ts';

/** A part of a workbook. */
export interface Part {
  name: string;
  stream: Readable;
  /** Whether it unzips to no more than programs for spreadsheets make of it. */
  isDense: boolean;
  /** Characters that it may hold beyond twice those of the texts that are kept, when it is not dense. */
  markup: number;
  /** Elements that it may have within each other. */
  depth: number;
}

/** What is told of a part of a workbook; names come without their prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  /** A text, or a piece of one. @returns whether it is kept: what is not counts as markup */
  text?(text: string): boolean;
  /** Where the handler is, for messages. */
  place?(): SheetPlace | undefined;
}

/** The parser, with the beginnings of declarations, which it keeps and its types do not have. */
type Parser = SAXParser & { sgmlDecl?: string; doctype?: string | boolean };

/** Characters that are parsed at a time: all that they stand for is in memory together. */
const PIECE = 8 * 1024;

/** Characters that a tag, a comment or a run of comments may have. */
const LONGEST_TAG = 1024 * 1024;

/**
 * Parses XML as it comes in; yields after every piece, so that what the handler has made can be passed on. Time and
 * memory are bounded by the size of what is kept, and by what the part allows beside it.
 *
 * @throws WorkbookError when it is not XML, or holds what no workbook does
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
      refuse(`has more than ${part.depth} elements within each other in ${part.name}; no spreadsheet does`);
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
    // Texts are passed on as they come: the parser would keep all of a long one.
    parser.flush();
    if (parser.doctype || (parser.sgmlDecl ?? '').length > 'DOCTYPE'.length) {
      refuse(`has a DOCTYPE, or another declaration, in ${part.name}; expected none`);
    }
    if (unclosed > LONGEST_TAG) {
      refuse(`has a tag or comment of more than ${LONGEST_TAG} characters in ${part.name}`);
    }
    if (!part.isDense && markup > part.markup) {
      refuse(
        `unzips to many times its size in ${part.name}, and holds little text there; ` +
          'no spreadsheet does: open it and save it again',
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

/** What a fault of the zip file or of its compression means to who reads the workbook. Errors of the system stay. */
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
