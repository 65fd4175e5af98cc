import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fold } from '@archiefkast/formats/fold';
import type { Kind, Language } from '@archiefkast/types';

/** A question with its answer, both from the records of a bundle. */
export interface Question {
  type: 'date' | 'place' | 'relation' | 'misspelt';
  language: Language;
  /** As a reader asks it. */
  text: string;
  /** The name in the question. */
  name: string;
  /** The kind of the related record that is asked for; absent if the named record itself is. */
  relation?: Kind;
  /** Uuid of the record that answers. */
  uuid: string;
  /** What its text has to say. */
  says?: string;
}

/** A line of a bundle. */
interface Line {
  uuid: string;
  title_nl?: string;
  title_en?: string;
  name_nl?: string;
  name_en?: string;
  birth_date?: string | null;
  subjects?: string[];
  persons?: string[];
  location?: string | null;
}

const TEXTS = {
  born: { en: 'On what day was % born?', nl: 'Op welke dag werd % geboren?' },
  where: { en: 'Where did this take place: %?', nl: 'Waar vond dit plaats: %?' },
  whose: { en: 'Whom does this concern: %?', nl: 'Wie betreft dit: %?' },
  group: { en: 'To which subject does % belong?', nl: 'Bij welk onderwerp hoort %?' },
  who: { en: 'Who was %?', nl: 'Wie was %?' },
};

/**
 * Makes thirty questions from the persons and events of a bundle, in turns in English and Dutch: eight for a date, seven for a
 * place, eight for a related record, seven with a misspelt name. Only records whose name no other record has are asked for, at even
 * distances in the bundle: the program knows nothing of search.
 */
export async function makeQuestions(folder: string): Promise<Question[]> {
  const persons = named(await readLines(join(folder, 'persons.jsonl')));
  const events = named(await readLines(join(folder, 'events.jsonl')));
  const born = persons.filter(({ birth_date }) => birth_date?.length === 10);
  const inGroup = persons.filter(({ subjects = [] }) => subjects.length === 1);
  const placed = events.filter(({ location }) => location);
  const ofOne = events.filter(({ persons: concerned = [] }) => concerned.length === 1);
  const long = persons.filter(({ title_nl = '' }) => /\p{L}{6,}$/u.test(title_nl));
  return [
    ...evenly(born, 8).map((line, at) =>
      ask('date', at, line, TEXTS.born, { uuid: line.uuid, says: line.birth_date ?? '' }),
    ),
    ...evenly(placed, 7).map((line, at) =>
      ask('place', at, line, TEXTS.where, { relation: 'location', uuid: line.location ?? '' }),
    ),
    ...evenly(ofOne, 4).map((line, at) =>
      ask('relation', at, line, TEXTS.whose, { relation: 'person', uuid: line.persons?.[0] ?? '' }),
    ),
    ...evenly(inGroup, 4).map((line, at) =>
      ask('relation', at, line, TEXTS.group, { relation: 'subject', uuid: line.subjects?.[0] ?? '' }),
    ),
    ...evenly(long, 7).map((line, at) => {
      const question = ask('misspelt', at, line, TEXTS.who, { uuid: line.uuid });
      const name = misspell(question.name, at);
      return { ...question, name, text: question.text.replace(question.name, name) };
    }),
  ];
}

function ask(
  type: Question['type'],
  at: number,
  line: Line,
  texts: Readonly<Record<Language, string>>,
  answer: Pick<Question, 'uuid' | 'relation' | 'says'>,
): Question {
  const language = at % 2 === 0 ? 'en' : 'nl';
  const name = nameOf(line, language);
  return { type, language, name, text: texts[language].replace('%', () => name), ...answer };
}

function nameOf(line: Line, language: Language): string {
  const { title_nl = line.name_nl ?? '', title_en = line.name_en } = line;
  return (language === 'en' && title_en) || title_nl;
}

/** Records whose name in Dutch no other of them has, whatever the kind of letters. */
function named(lines: readonly Line[]): Line[] {
  const byName = Map.groupBy(lines, (line) => fold(nameOf(line, 'nl')));
  return [...byName.values()].flatMap(([first, ...others]) => (first && others.length === 0 ? [first] : []));
}

/** So many of a list, at even distances. */
function evenly<Each>(list: readonly Each[], count: number): Each[] {
  return Array.from(
    { length: count },
    (_, at) => list[Math.floor(((at + 0.5) * list.length) / count)],
  ).filter((each) => each !== undefined);
}

/** The last word of a name with a letter left out, doubled, or exchanged with the next, in turns. */
function misspell(name: string, at: number): string {
  const cut = name.length - 3;
  const [start, letter = '', next = '', end] = [
    name.slice(0, cut),
    name[cut],
    name[cut + 1],
    name.slice(cut + 2),
  ];
  const middle = [next, letter + letter + next, next + letter][at % 3];
  return `${start}${middle}${end}`;
}

async function readLines(file: string): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) lines.push(JSON.parse(line));
  return lines;
}

if (import.meta.main) {
  const [folder = ''] = process.argv.slice(2);
  for (const question of await makeQuestions(folder)) process.stdout.write(`${JSON.stringify(question)}\n`);
}
