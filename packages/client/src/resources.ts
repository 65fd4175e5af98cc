import type { ArchiveIndex } from '@archiefkast/types';
import type { AnswerName } from './answer-schemas.ts';
import { addressOf } from './client-options.ts';
import { RequestError, responseError, StatusError } from './errors.ts';
import type { Connection } from './request/request.ts';

/**
 * Requests a resource that is not a list.
 *
 * @param echo fields that must have these values, whatever the schema
 * @throws RequestError
 */
export async function ask<Answer>(
  connection: Connection,
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
  schema: AnswerName | undefined,
  echo: Readonly<Record<string, string>> = {},
  lenient?: boolean,
): Promise<Answer> {
  const url = addressOf(connection, path, parameters);
  const expected = `a response with ${schema ? `the schema ${schema}` : 'GeoJSON'}`;
  const { body } = await connection.request<Answer>({ url, schema, expected, lenient });
  for (const [field, value] of Object.entries(echo)) {
    const came = Object(body)[field];
    const text = String((came === Object(came) ? came?.id : came) ?? '');
    if (text.normalize().trim() !== value.normalize().trim())
      throw responseError(url, `expected ${field} to be "${value}", not "${text}"`);
  }
  return body;
}

/** Reads the description of the archive in an edition, by default that of the client; undefined if it has none. */
export async function readIndex(connection: Connection, edition?: string): Promise<ArchiveIndex | undefined> {
  const { language } = connection;
  try {
    const parameters = edition === undefined ? {} : { edition };
    return await ask<ArchiveIndex>(connection, '', parameters, 'ArchiveIndex', { language }, true);
  } catch (error) {
    const isRefusal = error instanceof StatusError && error.status < 500;
    if (isRefusal || (error instanceof RequestError && error.reason === 'response')) return undefined;
    throw error;
  }
}
