/** The part of Swagger UI that the documentation uses: its package has no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  export default function SwaggerUI(options: {
    domNode: HTMLElement;
    url: string;
    deepLinking: boolean;
    defaultModelsExpandDepth: number;
    validatorUrl: null;
    layout: string;
    plugins: readonly unknown[];
  }): void;
}
