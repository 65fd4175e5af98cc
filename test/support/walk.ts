import { COLLECTIONS, KINDS, type Kind, type Language } from '@archiefkast/types';
import { expect } from 'vitest';
import type { ApiServer } from './api-server.ts';

/** A JSON object as it was sent. */
export type Json = Record<string, unknown>;

/** An envelope as it was sent. */
export interface Page {
  next: string | null;
  previous: string | null;
  count: number;
  total: number;
  language: string;
  results: Json[];
}

/** The JSON of a successful response. @throws Error for any other */
export async function getJson<Body = Json>(api: ApiServer, pathOrLink: string): Promise<Body> {
  const response = await api.fetch(pathOrLink);
  const text = await response.text();
  expect(response.status, `${pathOrLink}: ${text.slice(0, 500)}`).toBe(200);
  return JSON.parse(text);
}

/** The bodies of all pages of a list, by following its `next` links. */
export async function walkTexts(api: ApiServer, path: string): Promise<string[]> {
  const texts: string[] = [];
  for (let link: string | null = path; link !== null; ) {
    const response = await api.fetch(link);
    expect(response.status, link).toBe(200);
    const text = await response.text();
    texts.push(text);
    link = (JSON.parse(text) as Page).next;
  }
  return texts;
}

/** All pages of a list. */
export async function walkPages(api: ApiServer, path: string): Promise<Page[]> {
  return (await walkTexts(api, path)).map((text) => JSON.parse(text));
}

/** All records of a list. */
export async function walkRecords(api: ApiServer, path: string): Promise<Json[]> {
  return (await walkPages(api, path)).flatMap(({ results }) => results);
}

/** All records of every kind. */
export async function walkArchive(api: ApiServer, language: Language): Promise<Record<Kind, Json[]>> {
  const archive: Record<Kind, Json[]> = { person: [], subject: [], location: [], event: [] };
  for (const kind of KINDS) archive[kind] = await walkRecords(api, `/${language}/api/${COLLECTIONS[kind]}`);
  return archive;
}
