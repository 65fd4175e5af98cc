import type { Difference } from './differences.ts';

/**
 * A line of accepted.txt, `SUBJECT | FIELD | WHY`: a difference that is meant. SUBJECT is an address with its method, a
 * command, or a file of a command; FIELD a header, a JSON path, `line /PATTERN/` for lines of text, or `status`. In both,
 * `{name}` stands for one segment or value, and `*` for anything.
 */
export interface Accepted {
  number: number;
  subject: RegExp;
  field: RegExp;
  /** For lines of text: both must match where they are not empty. */
  content: RegExp | undefined;
  uses: number;
}

/** Addresses of the wire contract, which promises their bytes. */
const CONTRACT = /^[A-Z]+ \/[^/?]+\/api\/(?:persons|subjects|locations|events|search)(?:\/[^/?]*)?(?:\?.*)?$/;

export function isContract(subject: string): boolean {
  return CONTRACT.test(subject);
}

/** Addresses of the contract that no pattern may match. */
const EXAMPLES = ['persons', 'subjects', 'locations', 'events', 'search'].flatMap((name) =>
  ['', '?page=2', '?q=huygens', '?q=huygens&page=2', '/0e2a4b66-0000-4000-8000-000000000000'].flatMap(
    (rest) => ['GET', 'HEAD', 'OPTIONS', 'POST'].map((method) => `${method} /en/api/${name}${rest}`),
  ),
);

/** @throws Error that names the line, if it has another form, or would accept an address of the contract */
export function readAccepted(text: string): Accepted[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const where = `accepted.txt:${index + 1}`;
    const [subject, field, why, ...more] = line.split(' | ').map((part) => part.trim());
    if (!subject || !field || !why || more.length > 0) {
      throw new Error(`${where}: ${line}: expected SUBJECT | FIELD | WHY`);
    }
    const [, content] = /^line \/(.*)\/$/.exec(field) ?? [];
    const accepted: Accepted = {
      number: index + 1,
      subject: toPattern(subject),
      field: content === undefined ? toPattern(field) : /^line \d+$/,
      content: content === undefined ? undefined : new RegExp(content),
      uses: 0,
    };
    const promised = [subject, ...EXAMPLES].find((each) => isContract(each) && accepted.subject.test(each));
    if (promised) throw new Error(`${where}: ${subject}: is an address of the contract, such as ${promised}`);
    return [accepted];
  });
}

function toPattern(text: string): RegExp {
  const pattern = text.replaceAll(/\{\w+\}|\*|[.?+^$()[\]{}|\\]/g, (part) => {
    if (part === '*') return '.*';
    return part.length > 1 ? '[^/?&=]+' : `\\${part}`;
  });
  // Raw requests have several lines.
  return new RegExp(`^${pattern}$`, 's');
}

/** Whether a line accepts the difference; counts its use. */
export function isAccepted(accepted: readonly Accepted[], subject: string, difference: Difference): boolean {
  if (isContract(subject)) return false;
  const line = accepted.find(
    (each) =>
      each.subject.test(subject) &&
      each.field.test(difference.field) &&
      [difference.before, difference.now].every((text) => text === '' || (each.content?.test(text) ?? true)),
  );
  if (line) line.uses += 1;
  return line !== undefined;
}
