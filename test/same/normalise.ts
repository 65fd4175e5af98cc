import { createHash } from 'node:crypto';
import type { Answer, Pair } from './ask.ts';

/**
 * All that is not compared, each with its reason. Beside it, `alignEditions` gives both databases the same keys and times
 * of editions, which each publish makes anew.
 */

/** Headers with the time, or the generated id, of one response: that they are there, and in which form, is compared. */
const OF_ONE_RESPONSE: Readonly<Record<string, RegExp>> = {
  date: /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
  'x-request-id': /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
};

/** The headers of a response, without what differs between two responses to the same request. */
export function normaliseHeaders({ status, headers, cut }: Answer): Map<string, string> {
  const told = new Map([...headers].map(([name, value]) => [name, mask(value, OF_ONE_RESPONSE[name])]));
  return told.set('status', String(status)).set('cut', cut);
}

function mask(value: string, form: RegExp | undefined): string {
  return form?.test(value) ? '(generated)' : value;
}

/** Headers of a raw response. */
export function normaliseRaw(response: string): string {
  return response.replaceAll(/^([\w-]+): (.*)\r$/gm, (line, name: string, value: string) =>
    mask(value, OF_ONE_RESPONSE[name.toLowerCase()]) === value ? line : `${name}: (generated)\r`,
  );
}

/** An ETag, with the hash apart. */
const TAG = /^((?:W\/)?")([\w-]+?)((?:-(?:identity|gzip|br|zstd))?")$/;

/**
 * Compares ETags. They hash the version of the program with the edition, the address and the coding. Where the versions
 * are the same, so must the tags be. Else each tag of one build must stand for one tag of the other, in the same form.
 */
export class Tags {
  /** Whether the versions of both programs are the same. */
  areExact = false;
  readonly #pairs = [new Map<string, string>(), new Map<string, string>()] as const;

  areEqual([before, now]: Pair<string>): boolean {
    if (this.areExact) return before === now;
    const [one, other] = [TAG.exec(before), TAG.exec(now)];
    if (!one || !other) return before === now;
    const isSameForm = one[1] === other[1] && one[2]?.length === other[2]?.length && one[3] === other[3];
    const [forth, back] = this.#pairs;
    if (!forth.has(before) && !back.has(now)) {
      forth.set(before, now);
      back.set(now, before);
    }
    return isSameForm && forth.get(before) === now && back.get(now) === before;
  }
}

/** What programs print: durations, the key of a held edition, and where this run has its files and programs. */
export function normaliseOutput(text: string, folder: string, checkout: string): string {
  return (
    text
      .replaceAll(folder, '(folder)')
      .replaceAll(checkout, '(checkout)')
      .replaceAll(/(?<=^Preview: .*edition=)[0-9a-f-]{36}$/gm, '(key)')
      .replaceAll(/\bin \d+(?:\.\d+)? s\b/g, 'in (duration)')
      .replaceAll(/^About .* at the current response time/gm, 'About (duration) at the current response time')
      // Kinds are walked at once: their lines of progress come in any order.
      .replaceAll(/(?:^(?:persons|subjects|locations|events): .*\n)+/gm, sortLines)
  );
}

function sortLines(lines: string): string {
  return lines.split('\n').toSorted().join('\n');
}

/** Each harvest makes a uuid for its tables, and writes down its times and the hash of its own proof. */
const OF_ONE_HARVEST = [/"(?:started|finished)": "([^"]+)"/g, /\n {2}"sha256": "([0-9a-f]{64})"\n}/g];

/**
 * The files of a folder by their names, without what each harvest makes anew: times, the uuid of its tables; and the
 * hashes of files with these, but only if they are right. The journal is left out: it has times on every line, and is read
 * by nobody but `verify`, `export` and `--update`, which are compared.
 */
export function normaliseFiles(files: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  const hashes = [...files].map(([name, content]) => {
    const hash = createHash('sha256').update(content).digest('hex');
    return [hash, `(hash of ${name})`] as const;
  });
  const uuid = /\n([0-9a-f-]{36}),/.exec(String(files.get('tables/archive.csv') ?? ''))?.[1];
  const masked = new Map<string, Buffer>();
  for (const [name, content] of files) {
    if (name.startsWith('.journal/')) continue;
    let text = content.toString('latin1');
    if (uuid) text = text.replaceAll(uuid, '(uuid)');
    if (name === 'harvest.json') {
      for (const pattern of OF_ONE_HARVEST) {
        text = text.replaceAll(pattern, (all, value: string) => all.replace(value, '(generated)'));
      }
    }
    if (name === 'harvest.json' || name === 'datapackage.json') {
      for (const [hash, told] of hashes) text = text.replaceAll(hash, told);
    }
    masked.set(name, Buffer.from(text, 'latin1'));
  }
  return masked;
}
