import { createHash } from 'node:crypto';
import type { Document } from '../contract/route.ts';

/** A document in memory. */
export interface TextDocument extends Document {
  body: Buffer;
}

/** A document with this text. */
export function createDocument(contentType: string, text: string | Buffer): TextDocument {
  const body = Buffer.from(text);
  return { contentType, body, version: createHash('sha256').update(body).digest('base64url').slice(0, 22) };
}

/** The content type of pages. */
export const HTML = 'text/html; charset=utf-8';
