import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '../../apps/api/testing/random.ts';

const USAGE = `usage: node test/bench/matching.ts --bundle FOLDER --url URL [--persons 500] [--seed 1]

Asks a server that serves a bundle (persons.jsonl) for its persons by the Reconciliation API, each name written in several ways, without
dates and with years of birth and death. Prints for each way how many persons come first, how many are matches, and how many
matches are wrong; and the matches of persons who are not in the bundle.`;

interface Person {
  uuid: string;
  first_name: string;
  infix?: string | null;
  last_name: string;
  birth_date?: string | null;
  death_date?: string | null;
}

interface Candidate {
  id: string;
  match: boolean;
}

const { values } = parseArgs({
  options: {
    bundle: { type: 'string' },
    url: { type: 'string' },
    persons: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
  },
});
const { bundle, url } = values;
if (!bundle || !url) throw new Error(USAGE);

const random = createRandom(Number(values.seed));
const lines = (await readFile(join(bundle, 'persons.jsonl'), 'utf8')).trim().split('\n');
const all: Person[] = lines.map((line) => JSON.parse(line)).filter(({ published }) => published !== false);
const named = all.filter(({ first_name, last_name }) => first_name && last_name);
const chosen = [...named].sort(() => random.number() - 0.5).slice(0, Number(values.persons));

/** The family name without manors and names of spouses. */
const familyOf = ({ last_name }: Person) => last_name.split(/,| - | \/ /)[0]?.trim() ?? '';
const join2 = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(' ');
const initialsOf = ({ first_name }: Person) =>
  first_name
    .split(/\s+/)
    .map((name) => `${name[0]}.`)
    .join('');

const LETTERS = 'ck k,k ck,ij y,y ij,ae aa,s z,z s,gh g,dt t,oo o,nn n,ll l,c k,uy ui'
  .split(',')
  .map((pair) => pair.split(' '));

/** A word with other letters of the same sound, or with one letter less, twice, or in another place. */
function misspelt(word: string): string {
  const usual = LETTERS.filter(([letters = '']) => word.slice(1).includes(letters));
  if (usual.length > 0 && random.number() < 0.7) {
    const [from = '', to = ''] = random.pick(usual);
    return word[0] + word.slice(1).replace(from, to);
  }
  const at = 1 + random.below(Math.max(1, word.length - 2));
  const [before, letter = '', next = '', rest] = [
    word.slice(0, at),
    word[at],
    word[at + 1],
    word.slice(at + 2),
  ];
  return random.pick([
    before + next + rest,
    before + letter + letter + next + rest,
    before + next + letter + rest,
  ]);
}

const WAYS: Readonly<Record<string, (person: Person) => string>> = {
  whole: (person) => join2(person.first_name, person.infix, person.last_name),
  initials: (person) => join2(initialsOf(person), person.infix, familyOf(person)),
  'no infix': (person) => join2(person.first_name, familyOf(person)),
  'v.d.': (person) =>
    join2(
      person.first_name,
      person.infix?.replace(/^van (?:der|den|de)$/, 'v.d.').replace(/^van$/, 'v.'),
      familyOf(person),
    ),
  'no accents': (person) =>
    join2(person.first_name, person.infix, familyOf(person)).normalize('NFD').replace(/\p{M}/gu, ''),
  'turned round': (person) => `${familyOf(person)}, ${join2(person.first_name, person.infix)}`,
  spelling: (person) =>
    join2(person.first_name, person.infix, familyOf(person).replace(/\p{L}{4,}(?=\P{L}*$)/u, misspelt)),
};

async function ask(queries: readonly { query: string; properties: object[] }[]): Promise<Candidate[][]> {
  const answers: Candidate[][] = [];
  for (let start = 0; start < queries.length; start += 50) {
    const batch = queries
      .slice(start, start + 50)
      .map((query, at) => [`q${at}`, { ...query, type: 'person' }]);
    const body = new URLSearchParams({ queries: JSON.stringify(Object.fromEntries(batch)) });
    const response = await fetch(`${url}/en/reconcile`, { method: 'POST', body });
    if (!response.ok) throw new Error(await response.text());
    const found = (await response.json()) as Record<string, { result: Candidate[] }>;
    answers.push(...batch.map((_, at) => found[`q${at}`]?.result ?? []));
  }
  return answers;
}

const datesOf = (person: Person) =>
  (['birth_date', 'death_date'] as const).flatMap((pid) => {
    const date = person[pid];
    return date ? [{ pid, v: date.slice(0, 4) }] : [];
  });

const table: Record<string, string | number>[] = [];
for (const dates of ['without', 'with']) {
  for (const [way, write] of Object.entries(WAYS)) {
    const persons = chosen.filter((person) => dates === 'without' || datesOf(person).length > 0);
    const answers = await ask(
      persons.map((person) => ({
        query: write(person),
        properties: dates === 'with' ? datesOf(person) : [],
      })),
    );
    const first = answers.filter(([best], at) => best?.id === persons[at]?.uuid).length;
    const matches = answers.flatMap(([best], at) => (best?.match ? [best.id === persons[at]?.uuid] : []));
    const wrong = matches.filter((isRight) => !isRight).length;
    const percent = (count: number) => `${((100 * count) / persons.length).toFixed(1)} %`;
    table.push({
      dates,
      way,
      persons: persons.length,
      first: percent(first),
      match: percent(matches.length),
      wrong,
    });
  }
}
const present = new Set(named.map((person) => join2(person.first_name, familyOf(person)).toLowerCase()));
const absent = Array.from({ length: 2 * chosen.length }, () =>
  join2(random.pick(named).first_name, familyOf(random.pick(named))),
).filter((name) => !present.has(name.toLowerCase()));
const wrong = (await ask(absent.map((query) => ({ query, properties: [] })))).filter(
  ([best]) => best?.match,
).length;
table.push({
  dates: 'without',
  way: 'persons who are not there',
  persons: absent.length,
  first: '',
  match: '',
  wrong,
});
const rows = [Object.keys(table[0] ?? {}), ...table.map((row) => Object.values(row))];
process.stdout.write(rows.map((row) => `| ${row.join(' | ')} |\n`).join(''));
