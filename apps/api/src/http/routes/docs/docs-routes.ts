import type { DocumentedEndpoint } from '@archiefkast/site/docs';
import {
  type Answer,
  fixedAnswer,
  HTML,
  programRoute,
  type Route,
  type RouteDependencies,
} from '../../route.ts';
import { buildOpenApi } from './openapi.ts';

/** An endpoint as its page describes it. */
function endpointOf({ path, atRoot, description, group }: Route): DocumentedEndpoint {
  const address = (atRoot ? path : `/{lang}${path}`).replace(/[:*](\w+)/g, '{$1}');
  return { path: address, description, group: String(group) };
}

/** The documentation, generated from the endpoints. */
export function docsRoutes(others: readonly Route[], dependencies: RouteDependencies): Route[] {
  /** Generated on first use. */
  let openapi: Answer | undefined;

  const document: Route = {
    ...programRoute('/openapi.json', 'OpenAPI', 'application/json', () => {
      openapi ??= fixedAnswer(JSON.stringify(buildOpenApi(all, dependencies.baseUrl)));
      return openapi;
    }),
    description: 'The OpenAPI 3.1 document of this API.',
    group: 'About',
  };
  const all = [...others, document].filter(({ group }) => group);
  return [
    {
      // It exists in English only.
      ...programRoute('/docs', 'Documentation', HTML, async (request) => {
        if (request.language !== 'en') return { location: '../en/docs' };
        const { docsPage } = await import('@archiefkast/site/docs');
        const { createPageOf } = await import('../../page.ts');
        return fixedAnswer(docsPage(createPageOf(dependencies, request), all.map(endpointOf)));
      }),
      atRoot: false,
    },
    programRoute('/docs', 'Way to the documentation', HTML, () => ({ location: './en/docs' })),
    document,
  ];
}
