/** The path of a route as a URI template (RFC 6570), which OpenAPI writes too: `{uuid}` for `:uuid`. */
export function toTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}
