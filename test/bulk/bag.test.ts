import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { runHere } from '../faults/run-here.ts';
import { ITSELF, startShared } from '../support/api-server.ts';
import { needs } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PYTHON = 'python3';

/** Checks a bag by the rules of RFC 8493, after a change of a byte if a file is named; prints the faults. */
const CHECK = `
import hashlib, re, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
files = {name: archive.read(name) for name in archive.namelist()}
base = {name.split('/')[0] for name in files}
faults = [] if len(base) == 1 else ['more than one folder']
files = {name.split('/', 1)[1]: content for name, content in files.items()}
if len(sys.argv) > 2: files[sys.argv[2]] = bytes([files[sys.argv[2]][0] ^ 1]) + files[sys.argv[2]][1:]
if files.get('bagit.txt') != b'BagIt-Version: 1.0\\nTag-File-Character-Encoding: UTF-8\\n': faults.append('bagit.txt')
def manifest(name):
    lines = [re.fullmatch(r'([0-9a-f]{64})  ?\\*?(.+)', line) for line in files[name].decode().splitlines()]
    if None in lines: faults.append(f'{name}: a line')
    return {re.sub('%(25|0D|0A)', lambda m: bytes.fromhex(m[1]).decode(), line[2]): line[1] for line in lines if line}
payload = manifest('manifest-sha256.txt')
tags = manifest('tagmanifest-sha256.txt')
if set(payload) != {name for name in files if name.startswith('data/')}: faults.append('payload and manifest differ')
if set(tags) != {name for name in files if not name.startswith('data/')} - {'tagmanifest-sha256.txt'}: faults.append('tags and manifest differ')
for name, expected in {**payload, **tags}.items():
    if hashlib.sha256(files[name]).hexdigest() != expected: faults.append(f'{name}: SHA-256')
info = dict(line.split(': ', 1) for line in files['bag-info.txt'].decode().splitlines())
size = sum(len(content) for name, content in files.items() if name.startswith('data/'))
if info.get('Payload-Oxum') != f'{size}.{len(payload)}': faults.append('Payload-Oxum')
if not re.fullmatch(r'\\d{4}-\\d\\d-\\d\\d', info.get('Bagging-Date', '')): faults.append('Bagging-Date')
print('\\n'.join(faults))
`;

/** What RO-Crate 1.1 asks of the description of a crate, by the section that asks it. */
const CRATE_RULES: readonly [rule: string, isMet: (graph: Entity[]) => boolean][] = [
  ['2: every entity has an @id and a @type', (graph) => graph.every((each) => each['@id'] && each['@type'])],
  ['2: an @id is used once', (graph) => new Set(graph.map((each) => each['@id'])).size === graph.length],
  [
    '3: the descriptor names its version and the root',
    (graph) => {
      const found = graph.find((each) => each['@id'] === 'ro-crate-metadata.json');
      const asked = {
        '@type': 'CreativeWork',
        about: { '@id': './' },
        conformsTo: { '@id': 'https://w3id.org/ro/crate/1.1' },
      };
      return Object.entries(asked).every(
        ([name, value]) => JSON.stringify(found?.[name]) === JSON.stringify(value),
      );
    },
  ],
  [
    '3: the root is a Dataset with name, description, date and licence',
    (graph) => {
      const root = rootOf(graph);
      return (
        root['@type'] === 'Dataset' &&
        Boolean(root['name'] && root['description'] && root['license']) &&
        /^\d{4}-\d\d-\d\d$/.test(String(root['datePublished']))
      );
    },
  ],
  [
    '4: every file is a part of the root, and described',
    (graph) => {
      const files = graph.filter((each) => each['@type'] === 'File').map((each) => ({ '@id': each['@id'] }));
      return files.length > 0 && JSON.stringify(rootOf(graph)['hasPart']) === JSON.stringify(files);
    },
  ],
  [
    '2: what is referred to is described',
    (graph) => {
      const ids = new Set(graph.map((each) => each['@id']));
      const named = JSON.stringify(graph).matchAll(/\{"@id":"([^"]*)"\}/g);
      return [...named].every(([, id]) => ids.has(id ?? '') || id === 'https://w3id.org/ro/crate/1.1');
    },
  ],
];

type Entity = Record<string, unknown>;

function rootOf(graph: readonly Entity[]): Entity {
  return graph.find((each) => each['@id'] === './') ?? {};
}

describe('a bag', needs('python3'), () => {
  let folder: string;
  let bag: string;
  beforeAll(async () => {
    const { origin } = await startShared('sample', 'sqlite', { BASE_URL: ITSELF });
    const root = await temporaryFolder();
    [folder, bag] = [join(root, 'harvest'), join(root, 'archive of 2026.zip')];
    const harvest = ['harvest', '--base-url', origin, '--out', folder, '--format', 'csv,jsonl', '--media'];
    expect((await runHere(harvest)).code).toBe(0);
    expect(await runHere(['export', folder, '--bag', bag])).toMatchObject({ code: 0, stdout: `${bag}\n` });
  });

  /** The faults of a bag, after a change of a byte if a file is named. */
  async function faultsOf(...args: string[]): Promise<string> {
    return (await promisify(execFile)(PYTHON, ['-c', CHECK, ...args])).stdout.trim();
  }

  /** A file in a zip file. */
  async function readFrom(zip: string, name: string): Promise<Buffer> {
    const read =
      'import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))';
    const options = { encoding: 'buffer' as const, maxBuffer: 2 ** 28 };
    return (await promisify(execFile)(PYTHON, ['-c', read, zip, name], options)).stdout;
  }

  test('a bag is valid, and one changed byte of any file is told', async () => {
    expect(await faultsOf(bag)).toBe('');
    for (const name of ['data/persons.jsonl', 'data/harvest.json', 'data/ro-crate-metadata.json'])
      expect(await faultsOf(bag, name)).toBe(`${name}: SHA-256`);
    expect(await faultsOf(bag, 'manifest-sha256.txt')).toContain('manifest-sha256.txt: SHA-256');
  });

  test('it has the files of the harvest with the hashes of its proof, and says which edition it is', async () => {
    const base = 'archive of 2026';
    const proof = JSON.parse(await readFile(join(folder, 'harvest.json'), 'utf8'));
    const manifest = (await readFrom(bag, `${base}/manifest-sha256.txt`)).toString();
    for (const { name, sha256 } of proof.files) expect(manifest).toContain(`${sha256}  data/${name}\n`);
    for (const name of ['harvest.json', 'manifest.json'])
      expect(await readFrom(bag, `${base}/data/${name}`)).toEqual(await readFile(join(folder, name)));
    const info = (await readFrom(bag, `${base}/bag-info.txt`)).toString();
    expect(info).toContain(`External-Identifier: ${proof.source} edition 1\n`);
  });

  test.each(CRATE_RULES)('RO-Crate 1.1, %s', async (_, isMet) => {
    const crate = JSON.parse((await readFrom(bag, 'archive of 2026/data/ro-crate-metadata.json')).toString());
    expect(crate['@context']).toBe('https://w3id.org/ro/crate/1.1/context');
    expect(isMet(crate['@graph'])).toBe(true);
  });

  test('the same harvest gives the same bytes, and a bag that exists is not overwritten unasked', async () => {
    const before = await readFile(bag);
    const again = await runHere(['export', folder, '--bag', bag]);
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exists; use --force to overwrite it'),
    });
    expect(await runHere(['export', folder, '--bag', bag, '--force'])).toMatchObject({ code: 0 });
    expect(await readFile(bag)).toEqual(before);
  });

  test('what is no harvest, no longer what was proven, or not named .zip is refused', async () => {
    const root = await temporaryFolder();
    const refused = async (...args: string[]) => (await runHere(['export', ...args])).stderr;
    expect(await refused(folder, '--format', 'geojson', '--bag', join(root, 'bag'))).toContain(
      '--bag: expected the name of a .zip file',
    );
    expect(existsSync(join(folder, 'locations.geojson'))).toBe(false);
    await mkdir(join(root, 'empty'));
    expect(await refused(join(root, 'empty'), '--bag', join(root, 'a.zip'))).toContain('no finished harvest');
    const file = join(folder, 'persons.csv');
    const content = await readFile(file);
    await appendFile(file, 'x');
    expect(await refused(folder, '--bag', join(root, 'a.zip'))).toContain(
      'persons.csv: 0 bytes'.replace('0', String(content.length + 1)),
    );
    await writeFile(file, content);
  });
});
