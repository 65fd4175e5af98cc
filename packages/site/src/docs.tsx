import { assetPath } from './assets.ts';
import { renderPage } from './layout.tsx';
import type { Page } from './page.ts';

/** An endpoint of the API: its path with parameters as `{name}`, what it is, and its group. */
export interface DocumentedEndpoint {
  path: string;
  description: string;
  group: string;
}

/** The documentation of the API, which is in English: its endpoints, and on request Swagger UI over the OpenAPI document. */
export function docsPage(page: Page, endpoints: readonly DocumentedEndpoint[]): string {
  const groups = Map.groupBy(endpoints, ({ group }) => group);
  return renderPage(page, {
    title: page.titled('API documentation'),
    description:
      'The archive as read-only JSON: start, search, records, endpoints and errors, with forms to try them.',
    children: (
      <main id="main" class="wide">
        <h1>API documentation</h1>
        <p class="lead">Persons, subjects, locations and events as read-only JSON. No key needed.</p>
        <p>
          <a href={page.linkToFile('en/api/')}>Addresses of this archive</a> ·{' '}
          <a href={page.linkToFile('openapi.json')}>OpenAPI 3.1: openapi.json</a>
        </p>
        <div
          id="api"
          data-openapi={page.linkToFile('openapi.json')}
          data-script={page.linkToFile(assetPath('docs.js'))}
          data-styles={page.linkToFile(assetPath('docs.css'))}
        >
          <p>
            <button type="button" hidden>
              Show all parameters, and send requests
            </button>
          </p>
          {Array.from(groups, ([group, listed]) => (
            <section>
              <h2>{group}</h2>
              <dl class="endpoints">
                {listed.map(({ path, description }) => (
                  <>
                    <dt>
                      <code>{path}</code>
                    </dt>
                    <dd>{description}</dd>
                  </>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </main>
    ),
  });
}
