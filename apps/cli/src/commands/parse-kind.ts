import { isKind, type Kind, kindOfCollection } from '@archiefkast/types/kinds';

/** The kind that `person` or `persons` names. @throws RangeError when it names none */
export function parseKind(name: string): Kind {
  const kind = isKind(name) ? name : kindOfCollection(name);
  if (!kind) throw new RangeError(`there is no kind ${name}`);
  return kind;
}
