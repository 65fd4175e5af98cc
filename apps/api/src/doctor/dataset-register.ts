import { isObject } from '@archiefkast/types/internal';

/** What the register of datasets said: the status, and the messages of its report. */
export interface RegisterAnswer {
  status: number;
  messages: readonly string[];
}

/** Timeout of a request: the register reads the description before it answers. */
const PATIENCE_MILLISECONDS = 60_000;

const SHACL_MESSAGE = 'http://www.w3.org/ns/shacl#resultMessage';
const SHACL_PATH = 'http://www.w3.org/ns/shacl#resultPath';

/**
 * Submits the description of a dataset to a register, by the API of that of the Dutch Network Digital Heritage.
 *
 * @param register address of the API
 * @param dataset address of the description
 * @throws Error if the register does not answer
 */
export async function submitDataset(register: string, dataset: string): Promise<RegisterAnswer> {
  const body = JSON.stringify({ '@id': dataset });
  const headers = { 'Content-Type': 'application/ld+json', Accept: 'application/ld+json' };
  const response = await ask(`${register}/datasets`, { method: 'POST', headers, body });
  return { status: response.status, messages: messagesOf(await response.text()) };
}

/** Whether a register knows the description of a dataset. @throws Error if it does not answer, or says something else */
export async function isRegistered(register: string, dataset: string): Promise<boolean> {
  const { status } = await ask(`${register}/datasets?${new URLSearchParams({ url: dataset })}`);
  if (status !== 200 && status !== 404)
    throw new Error(`the register ${register} answers ${status}; expected 200 or 404`);
  return status === 200;
}

async function ask(url: string, options: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { ...options, signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`no answer from the register at ${url}: ${reason}`, { cause: error });
  }
}

/** The messages of a SHACL report in expanded JSON-LD, each with the property that it is about; none if it is something else. */
function messagesOf(report: string): string[] {
  let nodes: unknown;
  try {
    nodes = JSON.parse(report);
  } catch {
    return [];
  }
  const valuesOf = (node: Record<string, unknown>, property: string) =>
    [node[property] ?? []].flat().map((value) => String(Object(value)['@value'] ?? Object(value)['@id']));
  const found = [nodes].flat().flatMap((node) => {
    if (!isObject(node)) return [];
    const [about] = valuesOf(node, SHACL_PATH);
    return valuesOf(node, SHACL_MESSAGE).map((message) => (about ? `${about}: ${message}` : message));
  });
  return [...new Set(found)];
}
