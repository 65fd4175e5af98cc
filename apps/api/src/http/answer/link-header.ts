/** The address of the OpenAPI document. */
export function openApiUrl(baseUrl: string): string {
  return `${baseUrl}/openapi.json`;
}

/** The header `Link` (RFC 8288): how other addresses relate to this one, and where the API is described. */
export function linkHeader(links: Readonly<Record<string, string>>, baseUrl: string): string {
  const all = { ...links, 'service-desc': openApiUrl(baseUrl) };
  return Object.entries(all)
    .map(([relation, url]) => `<${url}>; rel="${relation}"`)
    .join(', ');
}
