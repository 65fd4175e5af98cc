import { renderPage } from './layout.tsx';
import type { Page } from './page.ts';

/** The documentation of the API, which is in English: Swagger UI over the OpenAPI document. */
export function docsPage(page: Page): string {
  return renderPage(page, {
    title: page.titled('API documentation'),
    description:
      'The archive as read-only JSON: start, search, records, endpoints and errors, with forms to try them.',
    styles: ['docs.css'],
    scripts: ['docs.js'],
    children: (
      <div id="main" class="wide">
        <h1>API documentation</h1>
        <p class="lead">Persons, subjects, locations and events as read-only JSON. No key needed.</p>
        <p>
          <a href={page.linkToFile('openapi.json')}>OpenAPI 3.1</a>
        </p>
        <div id="api" data-openapi={page.linkToFile('openapi.json')} />
        <noscript>
          <p>
            The forms need scripts. Without them, read{' '}
            <a href={page.linkToFile('openapi.json')}>openapi.json</a>, the addresses of this archive at{' '}
            <a href={page.linkToFile('en/api/')}>en/api/</a>, or <code>docs/api.md</code> of the program.
          </p>
        </noscript>
      </div>
    ),
  });
}
