import { addressOf, type ClientParts } from './client-parts.ts';
import { WrongAnswerError } from './errors/request-errors.ts';
import { schemaOf, shapeOf } from './shape/shapes.ts';

/** Asks for an answer that is no list. */
export type Ask = <Answer>(
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
  shape: string,
  options?: { isOfEdition?: boolean; lenient?: boolean },
) => Promise<Answer>;

/** Makes the function that asks for answers that are no lists. */
export function createAsk(parts: ClientParts): Ask {
  return async <Answer>(
    path: string,
    parameters: Readonly<Record<string, string | undefined>>,
    shape: string,
    { isOfEdition = true, lenient = parts.lenient } = {},
  ) => {
    const url = addressOf(isOfEdition ? parts : { ...parts, edition: undefined }, path, parameters);
    const schema = schemaOf<Answer>(shapeOf(shape));
    const expected = `an answer of the form ${shape}`;
    const { body } = await parts.request({ url, schema, expected, signal: parts.signal, lenient });
    if (body === undefined) throw new WrongAnswerError(url, `expected ${expected}, not status 304`, '');
    return body;
  };
}
