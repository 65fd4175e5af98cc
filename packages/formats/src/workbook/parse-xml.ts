import type { Readable } from 'node:stream';
import sax from 'sax';
import { WorkbookError } from './workbook-error.ts';

/** What is told of a part of a workbook; names come without their prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * Parses XML as it comes in; yields after every piece, so that what the handler has made can be passed on.
 *
 * @throws WorkbookError when it is not XML
 */
export async function* parseXml(stream: Readable, handler: XmlHandler): AsyncGenerator<void> {
  const parser = sax.parser(true, { position: false });
  const decoder = new TextDecoder('utf-8');
  parser.onerror = (error) => {
    throw new WorkbookError(`is damaged: ${error.message.split('\n', 1)[0]}`);
  };
  parser.onopentag = ({ name, attributes }) => {
    handler.open?.(localName(name), attributes as Record<string, string>);
  };
  parser.onclosetag = (name) => handler.close?.(localName(name));
  parser.ontext = (text) => handler.text?.(text);
  parser.oncdata = (text) => handler.text?.(text);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  parser.close();
  yield;
}

/** Parses all of a small part. */
export async function parseWhole(stream: Readable, handler: XmlHandler): Promise<void> {
  for await (const _ of parseXml(stream, handler));
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
