import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COLLECTIONS, KINDS, type Kind } from '@archiefkast/types';
import { createRandom } from '../../apps/api/testing/random.ts';

type BundleLine = Record<string, unknown> & { id: number; uuid: string };

/** A bundle that is edited at random: the same seed gives the same edits. */
export interface EditedBundle {
  folder: string;
  /** Makes a number of edits: changes, moves, numbers, adds, removes and unpublishes records. */
  edit(times: number): Promise<void>;
}

/** A text field of each kind. */
const TEXTS: Readonly<Record<Kind, string>> = {
  person: 'content_nl',
  subject: 'description_nl',
  location: 'content_en',
  event: 'name_nl',
};

/** The fields that are lists of uuids. */
const LISTS = ['subjects', 'persons', 'related_locations'];

/** Copies a bundle of JSON Lines, whose archive.json allows partial dates, to `folder`, to be edited there. */
export async function copyToEdit(bundle: string, folder: string, seed: number): Promise<EditedBundle> {
  const random = createRandom(seed);
  const records: Record<Kind, BundleLine[]> = { person: [], subject: [], location: [], event: [] };
  for (const kind of KINDS) {
    const text = await readFile(join(bundle, `${COLLECTIONS[kind]}.jsonl`), 'utf8');
    records[kind] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  }
  let edits = 0;

  const freeId = (kind: Kind) => {
    const taken = new Set(records[kind].map(({ id }) => id));
    let id = 1 + random.below(taken.size * 2);
    while (taken.has(id)) id += 1;
    return id;
  };

  const EDITS: readonly ((kind: Kind) => void)[] = [
    function change(kind) {
      random.pick(records[kind])[TEXTS[kind]] = `<p>Bewerking ${edits} leidt tot iets anders.</p>`;
    },
    function rename(kind) {
      const name = kind === 'person' ? 'last_name' : 'name_nl';
      random.pick(records[kind])[name] = `Naam ${edits}`;
    },
    function renumber(kind) {
      const record = random.pick(records[kind]);
      const id = freeId(kind);
      if (kind === 'subject')
        for (const other of records.subject) if (other['parent'] === record.id) other['parent'] = id;
      record.id = id;
    },
    function date() {
      const known = random.pick(['1650', '1650-03', '165X', '1650~', '1650-03-01', null]);
      random.pick(records.person)['birth_date'] = known;
      random.pick(records.event)['date'] = known;
    },
    function refer(kind) {
      const record = random.pick(records[kind]);
      const targets = {
        subjects: records.subject,
        persons: records.person,
        related_locations: records.location,
      };
      for (const [list, others] of Object.entries(targets))
        if (Array.isArray(record[list])) record[list] = [random.pick(others).uuid, random.pick(others).uuid];
    },
    function adopt() {
      const [child, parent] = [random.pick(records.subject), records.subject[0]];
      if (child !== parent) child['parent'] = random.below(2) === 0 ? null : (parent?.id ?? null);
    },
    function identify() {
      random.pick(records.subject)['same_as'] = [`https://example.org/subjects/${edits}`];
    },
    function illustrate(kind) {
      const picture = {
        id: edits,
        uuid: random.uuid(),
        name: `picture-${edits}.jpg`,
        filetype: 'image/jpeg',
      };
      const url = `https://example.org/picture-${random.below(3)}.jpg`;
      const field = kind === 'person' || kind === 'subject' ? 'image' : 'main_image';
      random.pick(records[kind])[field] = { ...picture, url, copyright: `Rechten ${edits}` };
    },
    function move() {
      const location = random.below(5) === 0 ? null : random.pick(records.location).uuid;
      random.pick(records.event)['location'] = location;
    },
    function add(kind) {
      records[kind].push({ ...random.pick(records[kind]), id: freeId(kind), uuid: random.uuid() });
    },
    function remove(kind) {
      const gone = random.pick(records[kind]);
      records[kind] = records[kind].filter((record) => record !== gone);
      for (const record of KINDS.flatMap((each) => records[each])) {
        for (const list of LISTS) {
          const uuids = record[list];
          if (Array.isArray(uuids)) record[list] = uuids.filter((uuid) => uuid !== gone.uuid);
        }
        if (record['location'] === gone.uuid) record['location'] = null;
        if (kind === 'subject' && record['parent'] === gone.id) record['parent'] = null;
      }
    },
    function hide(kind) {
      const record = random.pick(records[kind]);
      record['published'] = record['published'] === false;
    },
  ];

  async function write(): Promise<void> {
    for (const kind of KINDS) {
      const lines = records[kind].map((record) => `${JSON.stringify(record)}\n`);
      await writeFile(join(folder, `${COLLECTIONS[kind]}.jsonl`), lines.join(''));
    }
  }

  await mkdir(folder);
  await write();
  return {
    folder,
    async edit(times) {
      for (let time = 0; time < times; time += 1) {
        edits += 1;
        random.pick(EDITS)(random.pick(KINDS));
      }
      await write();
    },
  };
}
