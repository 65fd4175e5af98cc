import { execFile } from 'node:child_process';
import { appendFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { runHere } from '../faults/run-here.ts';
import { ITSELF, startApi } from '../support/api-server.ts';
import { needs } from '../support/programs.ts';
import { SAMPLE } from '../support/sample.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NETWORKX = '/usr/lib/python3/dist-packages/networkx';
const IGRAPH = '/usr/lib/python3/dist-packages/igraph';

/** More than the edges between the persons of one event may be of. */
const MANY = 101;

/** Counts nodes and edges of a bundle, and of a graph as NetworkX and igraph read it. */
const COUNT = `
import collections, itertools, json, sys, igraph, networkx
bundle, file = sys.argv[1:]
read = lambda name: [r for r in map(json.loads, open(f'{bundle}/{name}.jsonl')) if r.get('published', True)]
kinds = {kind: read(f'{kind}s') for kind in ['person', 'subject', 'location', 'event']}
counts = collections.Counter({kind: len(records) for kind, records in kinds.items()})
pairs = collections.Counter()
served = {record['uuid'] for records in kinds.values() for record in records}
for kind, records in kinds.items():
    for record in records:
        persons = [uuid for uuid in record.get('persons') or [] if uuid in served]
        counts['participant'] += len(persons)
        counts['at'] += 1 if record.get('location') else 0
        counts['about'] += len(record.get('subjects') or [])
        counts['broader'] += 1 if record.get('parent') else 0
        counts['related'] += len(record.get('related_locations') or [])
        if len(persons) <= 100:
            pairs.update(itertools.combinations(sorted(set(persons)), 2))
counts['same event'] = len(pairs)
graph = networkx.read_graphml(file, force_multigraph=True)
found = collections.Counter(data['kind'] for _, data in graph.nodes(data=True))
edges = list(graph.edges(data=True))
found.update(data['relation'] for _, _, data in edges)
linked = {tuple(sorted((a, b))): data['weight'] for a, b, data in edges if data['relation'] == 'same event'}
other = igraph.Graph.Read_GraphML(file)
print(json.dumps({'bundle': counts, 'graph': found, 'weights': linked == pairs,
  'igraph': [other.vcount(), other.ecount()] == [graph.number_of_nodes(), len(edges)]}))
`;

let bundle: string;
let folder: string;
beforeAll(async () => {
  const root = await temporaryFolder();
  bundle = join(root, 'bundle');
  folder = join(root, 'harvest');
  await cp(SAMPLE, bundle, { recursive: true });
  const words = JSON.parse(await readFile(join(bundle, 'archive.json'), 'utf8'));
  await writeFile(join(bundle, 'archive.json'), JSON.stringify({ ...words, partial_dates: 'first-day' }));
  const uuid = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
  const members = Array.from({ length: MANY }, (_, at) => ({
    ...{ id: 1_000 + at, uuid: uuid(at), title_nl: `Lid ${at} & <Zn>`, birth_date: '165X' },
  }));
  await appendFile(
    join(bundle, 'persons.jsonl'),
    members.map((member) => `${JSON.stringify(member)}\n`).join(''),
  );
  const [one, other] = [uuid(1), uuid(2)];
  const events = [
    { id: 1_000, uuid: uuid(900), name_nl: 'Oprichting', persons: members.map((member) => member.uuid) },
    { id: 1_001, uuid: uuid(901), name_nl: 'Feest', date: '1660-05', persons: [one, other] },
    {
      id: 1_002,
      uuid: uuid(902),
      name_nl: 'Reis',
      date_start: '1650',
      date_end: '1655',
      persons: [other, one],
    },
  ];
  await appendFile(
    join(bundle, 'events.jsonl'),
    events.map((event) => `${JSON.stringify(event)}\n`).join(''),
  );
  const { origin } = await startApi({ engine: 'sqlite', bundle, settings: { BASE_URL: ITSELF } });
  const { code, stderr } = await runHere(['harvest', '--base-url', origin, '--out', folder]);
  expect(code, stderr).toBe(0);
});

test(
  'a graph has every record and reference, for NetworkX and igraph',
  needs(NETWORKX, IGRAPH, 'xmllint'),
  async () => {
    const { code, stderr } = await runHere(['export', folder, '--format', 'graphml', '--links', 'persons']);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('1 event of more than 100 persons left out of their links');
    const file = join(folder, 'archive.graphml');
    await promisify(execFile)('xmllint', ['--noout', file]);
    const { stdout } = await promisify(execFile)('/usr/bin/python3', ['-c', COUNT, bundle, file]);
    const counted = JSON.parse(stdout);
    expect(counted.graph).toEqual(counted.bundle);
    expect(counted).toMatchObject({ weights: true, igraph: true });
  },
);

test('edges between persons are there only when asked, with the years of their events', async () => {
  const read = async (...links: string[]) => {
    const { code, stderr } = await runHere(['export', folder, '--format', 'graphml', ...links]);
    expect(code, stderr).toBe(0);
    return await readFile(join(folder, 'archive.graphml'), 'utf8');
  };
  const linked = await read('--links', 'persons');
  const [link = ''] = linked.match(/<edge source="\S*0001" target="\S*0002">.*/) ?? [];
  expect(link).toContain('<data key="edge_weight">2</data>');
  expect(link).toContain('<data key="edge_year_start">1650</data><data key="edge_year_end">1660</data>');
  expect(await read()).toBe(linked.replaceAll(/<edge .*same event.*\n/g, ''));
});

test('a node has names, dates as they are known with their years, and its address', async () => {
  await runHere(['export', folder, '--format', 'graphml']);
  const [node = ''] =
    (await readFile(join(folder, 'archive.graphml'), 'utf8')).match(/<node id="\S*0007">.*/) ?? [];
  expect(node).toContain('<data key="node_name_nl">Lid 7 &amp; &lt;Zn&gt;</data>');
  expect(node).toContain('<data key="node_date_start">165X</data><data key="node_year_start">1650</data>');
  expect(node).toMatch(/<data key="node_address">http:\S+<\/data>/);
});

test('references to kinds that were not harvested are left out, and counted', async () => {
  const { origin } = await startApi({ engine: 'sqlite', bundle, settings: { BASE_URL: ITSELF } });
  const some = join(await temporaryFolder(), 'some');
  const options = ['--format', 'graphml', '--links', 'persons', '--out', some];
  const { code, stderr } = await runHere(['harvest', 'persons', '--base-url', origin, ...options]);
  expect(code, stderr).toBe(0);
  expect(stderr).toMatch(/archive\.graphml: \d+ references left out, to records that were not harvested/);
  expect(stderr).toContain('no links between persons: persons and events were not both harvested');
});
