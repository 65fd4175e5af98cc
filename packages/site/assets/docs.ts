// The forms of the documentation: Swagger UI, which sends requests to this archive only.
/*! Swagger UI: Apache-2.0, © SmartBear Software. */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';

/** Shows the forms of all endpoints in an element, in place of its content. */
export function showForms(element: HTMLElement): void {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.classList.toggle('dark-mode', isDark);
  SwaggerUI({
    domNode: element,
    url: element.dataset['openapi'] ?? '',
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    // By default, it would send the document to another host.
    validatorUrl: null,
    layout: 'Plain',
    plugins: [withoutLandmarks],
  });
}

/** The parts of Swagger UI that this uses: its React, and its components by name. */
interface System {
  React: { createElement(type: unknown, attributes: object | null, ...children: unknown[]): unknown };
  getComponent(name: string, isContainer: true): unknown;
}

/** The page has a main part already; and the name of an operation, which is in a button, may not be a link. */
function withoutLandmarks({ React, getComponent }: System): unknown {
  const parts = ['InfoContainer', 'errors', 'operations', 'Models'];
  return {
    components: {
      Plain: () =>
        React.createElement(
          'div',
          { className: 'swagger-ui' },
          ...parts.map((name) => React.createElement(getComponent(name, true), null)),
        ),
    },
    wrapComponents: {
      DeepLink:
        () =>
        ({ text }: { text: string }) =>
          React.createElement('span', null, text),
    },
  };
}
