import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Parser, Store } from 'n3';
import { beforeAll, describe, expect, test } from 'vitest';
import { ITSELF, startApi, type TestArchive } from '../../support/api-server.ts';
import { needs } from '../../support/programs.ts';
import { SAMPLE } from '../../support/sample.ts';

const RDFLIB = '/usr/lib/python3/dist-packages/rdflib';
const PANDAS = '/usr/lib/python3/dist-packages/pandas';

/** Runs a program; returns its output. */
async function run(program: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(program, args, { maxBuffer: 2 ** 26 })).stdout.trim();
}

const python = (script: string) => run('/usr/bin/python3', '-W', 'ignore', '-c', script);

describe('clients that are not browsers get what docs/api.md says, by Accept or by the ending of the address', () => {
  let archive: TestArchive;
  let person: string;
  beforeAll(async () => {
    archive = await startApi({ engine: 'sqlite', bundle: SAMPLE, settings: { BASE_URL: ITSELF } });
    const { results } = await (await fetch(`${archive.baseUrl}/en/api/persons`)).json();
    person = `${archive.baseUrl}/id/${results[0].uuid}`;
  });
  const triplesOf = (turtle: string) => new Store(new Parser().parse(turtle)).size;
  const own = async (address: string) => triplesOf(await (await fetch(`${address}.ttl`)).text());

  test('rdflib reads a record and the dataset by their names', needs(RDFLIB), async () => {
    for (const address of [person, `${archive.baseUrl}/dataset`]) {
      const read = `import rdflib; print(len(rdflib.Graph().parse('${address}', format='turtle')))`;
      expect(Number(await python(read)), address).toBe(await own(address));
    }
  });

  test('curl gets the page, a form by Accept, and the same by the ending', needs('curl'), async () => {
    expect(await run('curl', '-sSL', person)).toMatch(/^<!doctype html>/i);
    const asked = await run('curl', '-sSL', '-H', 'Accept: text/turtle', person);
    expect(asked).toBe(await run('curl', '-sS', `${person}.ttl`));
    expect(triplesOf(asked)).toBe(await own(person));
  });

  test('pandas reads the table of a kind, and a page of JSON', needs(PANDAS), async () => {
    const { count } = await (await fetch(`${archive.baseUrl}/en/api/persons`)).json();
    const csv = `${archive.baseUrl}/en/api/dump/persons.csv`;
    const json = `${archive.baseUrl}/en/api/persons`;
    const read = `import pandas; print(len(pandas.read_csv('${csv}')), pandas.read_json('${json}')['count'][0])`;
    expect(await python(read)).toBe(`${count} ${count}`);
  });
});
