import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json } from './walk.ts';

/** The parts of an OpenAPI document that tests read. */
export interface OpenApi {
  paths: Record<string, { get: Operation }>;
  components: { schemas: Record<string, object> };
}

/** The description of a path in an OpenAPI document. */
export interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required?: boolean; example?: string | number; schema: Json }[];
  responses: Record<string, { headers?: Json; content?: Record<string, { schema?: Reference | AnyOf }> }>;
}

interface Reference {
  $ref: string;
}

/** Whole records; or with `fields`, the short set or some of their fields. */
interface AnyOf {
  anyOf: [whole: Reference, brief: Reference, selected: Reference];
}

/** A response as it was sent. */
export interface Answer {
  status: number;
  contentType: string | null;
  text: string;
  /** The parameter `fields` of the request; null if absent. */
  fields?: string | null;
}

/**
 * Checks responses against an OpenAPI document: their status, content type and body must be described.
 *
 * @returns a function of a path of the document and a response, which returns the error or undefined
 */
export function createOpenApiValidator(openapi: OpenApi) {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...openapi, $id: 'openapi.json' });

  return (path: string, { status, contentType, text, fields = null }: Answer): string | undefined => {
    const response = openapi.paths[path]?.get.responses[status];
    if (!response) return `${path} does not say that it answers ${status}: ${text.slice(0, 300)}`;
    const contents = Object.keys(response.content ?? {});
    if (status === 304) return text === '' ? undefined : `${path}: a 304 has a body`;
    const content = response.content?.[contentType ?? ''] ?? response.content?.['*/*'];
    if (!content) return `${path} ${status}: ${contentType} is not among ${contents.join(', ')}`;
    // A part of a file is not valid JSON.
    if (!content.schema || status === 206) return undefined;
    const { schema } = content;
    const { $ref } =
      'anyOf' in schema ? schema.anyOf[fields === null ? 0 : fields === 'brief' ? 1 : 2] : schema;
    const validate = ajv.getSchema(`openapi.json${$ref}`);
    if (!validate) return `${path} ${status}: there is no schema ${$ref}`;
    if (validate(JSON.parse(text))) return undefined;
    return `${path} ${status}: ${ajv.errorsText(validate.errors)}`;
  };
}
