import { readFileSync } from 'node:fs';
import { createDocument, createPage, HTML } from '../document.ts';
import { buildOpenApi } from '../openapi/build-openapi.ts';
import { docsPage } from '../pages/docs-page.ts';
import { problemPage } from '../pages/problem-page.ts';
import { PROBLEMS, type ProblemName } from '../problems.ts';
import { type Document, type DocumentRoute, jsonContent, type Route } from './route.ts';

/** The files that pages use. */
const ASSETS = {
  'docs.css': 'text/css; charset=utf-8',
  'docs.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
} as const;

/** The documentation, made from the endpoints that it describes, itself included. */
export function documentRoutes(others: readonly Route[], baseUrl: string): DocumentRoute[] {
  const problems = new Map<string, Document>(
    (Object.keys(PROBLEMS) as ProblemName[]).map((name) => [name, createPage(problemPage(name))]),
  );
  const assets = new Map(
    Object.entries(ASSETS).map(([name, contentType]) => [name, createDocument(contentType, readAsset(name))]),
  );
  let openapi: Document | undefined;
  let docs: Document | undefined;

  const routes: DocumentRoute[] = [
    {
      ...page('/', 'Start', 'The documentation, for a visitor of the bare address.'),
      document: () => docs,
    },
    {
      ...page('/docs', 'Documentation', 'This API for people: every endpoint, with examples to try.'),
      document: () => docs,
    },
    {
      ...page('/docs/:asset', 'Files of pages', 'What the pages use: style, script and icon.'),
      content: { contentType: '*/*' },
      document: (segment) => assets.get(segment('asset')),
    },
    {
      ...page('/problems/:name', 'Help with a problem', 'What a kind of problem means, and what to do.'),
      document: (segment) => problems.get(segment('name')),
    },
    {
      ...page('/openapi.json', 'OpenAPI', 'This API for programs (OpenAPI 3.1).'),
      content: jsonContent(),
      document: () => openapi,
    },
  ];
  const all = [...others, ...routes];
  openapi = createDocument('application/json', JSON.stringify(buildOpenApi(all, baseUrl)));
  docs = createPage(docsPage(all, baseUrl));
  return routes;
}

function page(path: string, name: string, description: string) {
  return {
    path,
    name,
    description,
    atRoot: true,
    group: 'About' as const,
    parameters: [],
    content: { contentType: HTML },
  };
}

function readAsset(name: string): Buffer {
  return readFileSync(new URL(`../../../assets/${name}`, import.meta.url));
}
