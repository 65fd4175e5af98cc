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
export function normaliseHeaders({ headers }: Answer): Map<string, string> {
  return new Map([...headers].map(([name, value]) => [name, mask(value, OF_ONE_RESPONSE[name])]));
}

/** A response without the sentences of a Dutch problem, which are in English since 2.0 (CHANGELOG.md). */
export function withoutDutchSentences(answer: Answer): Answer {
  const { headers, body } = answer;
  const isProblem = headers.get('content-type') === 'application/problem+json';
  if (!isProblem || headers.get('content-language') !== 'nl') return answer;
  const others = new Map(headers);
  others.delete('content-length');
  if (body.length === 0) return { ...answer, headers: others };
  const { detail, expected, ...rest } = JSON.parse(body.toString());
  return { ...answer, headers: others, body: Buffer.from(JSON.stringify(rest)) };
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

/** What programs print: durations, and the key of a held edition. */
export function normaliseOutput(text: string): string {
  return (
    text
      .replaceAll(/(?<=^Preview: \S*\/preview\/)[0-9a-f-]{36}(?=\/)/gm, '(key)')
      .replaceAll(/\bin \d+(?:\.\d+)? s\b/g, 'in (duration)')
      .replaceAll(/^About .* at the current response time/gm, 'About (duration) at the current response time')
      // Kinds are walked at once: their lines of progress come in any order.
      .replaceAll(/(?:^(?:persons|subjects|locations|events): .*\n)+/gm, sortLines)
  );
}

function sortLines(lines: string): string {
  return lines.split('\n').toSorted().join('\n');
}

/** A file in the proof of a harvest, its times, and the hash of the proof itself. */
const OF_FILE = /"name": "([^"]+)",\s+"bytes": (\d+),\s+"sha256": "([0-9a-f]{64})"/g;
const OF_HARVEST = /(?<="(?:started|finished)": ")[^"]+|(?<=\n {2}"sha256": ")[0-9a-f]{64}/g;

/** The store of a harvest in its proof: one file, or the journals of an earlier build. */
const OF_STORE = /,\s+\{\s+"name": "(?:\.journal\/[^"]+|harvest\.sqlite)"[^}]+\}/g;

function isStore(name: string): boolean {
  return name.startsWith('.journal/') || name === 'harvest.sqlite';
}

/**
 * The files of a folder by their names, without what each harvest, template and draft makes anew: a uuid of its tables,
 * times, and the folder itself. Sizes and hashes in a proof, which depend on these, are replaced if they are right. The store is left out: it
 * has a time in every page, and is for `verify`, `export` and `--update` only, which are compared.
 */
export function normaliseFiles(files: ReadonlyMap<string, Buffer>, folder: string): Map<string, Buffer> {
  const own = ['archive.csv', 'map.yaml', 'archive.json'].map((name) => files.get(name) ?? '').join('');
  const [, uuid = '(no uuid)'] = /(?:\n| uuid: |"uuid": ")([0-9a-f-]{36})[, "]/.exec(own) ?? [];
  const hashes = new Map(
    [...files].map(([name, content]) => [name, createHash('sha256').update(content).digest('hex')]),
  );
  // Files whose parts are compared.
  const packed = [...files.keys()].filter((name) =>
    [...files].some(([part, text]) => part.startsWith(`${name}/`) && text.includes(uuid)),
  );
  const told = new Map<string, Buffer>();
  for (const [name, content] of files) {
    if (packed.includes(name) || isStore(name)) continue;
    let text = content.toString('latin1').replaceAll(uuid, '(uuid)').replaceAll(folder, '@');
    if (name === 'harvest.json') {
      text = text
        .replaceAll(OF_HARVEST, '(generated)')
        .replaceAll(OF_STORE, '')
        .replaceAll(OF_FILE, (all, file: string, bytes: string, hash: string) => {
          const isRight = Number(bytes) === files.get(file)?.length && hash === hashes.get(file);
          return isRight ? `"name": "${file}", right` : all;
        });
    }
    if (name === 'datapackage.json') {
      for (const [file, hash] of hashes) text = text.replaceAll(hash, `(hash of ${file})`);
      for (const file of packed)
        text = text.replaceAll(`"bytes": ${files.get(file)?.length}`, `"bytes": (of ${file})`);
    }
    told.set(name, Buffer.from(text, 'latin1'));
  }
  return told;
}
