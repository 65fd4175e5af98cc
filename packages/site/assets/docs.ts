// The documentation of the API: Swagger UI, which sends requests to this archive only.
/*! Swagger UI: Apache-2.0, © SmartBear Software. */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';

const element = document.getElementById('api');
if (element) {
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.classList.toggle('dark-mode', isDark);
  SwaggerUI({
    domNode: element,
    url: element.dataset['openapi'] ?? '',
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    // By default, it would send the document to another host.
    validatorUrl: null,
  });
}
