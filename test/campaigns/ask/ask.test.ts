import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { COLLECTIONS, KINDS, LANGUAGES } from '@archiefkast/types';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestArchive } from '../../support/api-server.ts';
import { callOf, callTool, sendMessages } from '../../support/ask-archive.ts';
import { needs, placeOf } from '../../support/programs.ts';
import { makeQuestions, type Question } from './questions.ts';

const MOST_BYTES = 8_000;
/** Messages of a batch, as many as the server takes. */
const BATCH = 10;
const MINUTES = 40;
const AIM = 27;

describe('the archive of Amsterdam', needs('real-archive'), () => {
  let archive: TestArchive;
  beforeAll(async () => {
    archive = await startApi({ engine: 'sqlite', bundle: placeOf('real-archive') });
  }, 300_000);

  /** The uuid at which a question ends, by one rule: search for the name, take the first hit or name, follow the relation. */
  async function answer({ name, language, relation, says }: Question): Promise<string> {
    const found = (await callTool(archive.origin, 'search_archive', { query: name, language })).result;
    const { hits, similar_names = [] } = found.structuredContent ?? { hits: [] };
    const record = [...hits, ...similar_names][0]?.uuid;
    if (record === undefined) return 'nothing found';
    for (let part = relation ? 'relations' : '1'; ; ) {
      const { result } = await callTool(archive.origin, 'get_record', { record, language, part });
      const { uuid, relations, next } = result.structuredContent;
      if (relation) {
        const related = relations.find(({ kind }: { kind: string }) => kind === relation);
        if (related) return related.uuid;
      } else if (JSON.stringify(result.structuredContent).includes(says ?? '')) return uuid;
      if (!/^part (?:\d|relations \d)/.test(next ?? '')) return `not in ${record}`;
      part = next.slice('part '.length);
    }
  }

  test('thirty questions end at the right record', { timeout: 120_000 }, async () => {
    const questions = await makeQuestions(placeOf('real-archive'));
    expect(questions).toHaveLength(30);
    const missed: string[] = [];
    for (const question of questions) {
      const uuid = await answer(question);
      if (uuid !== question.uuid) missed.push(`${question.type}: ${question.text} ${uuid}`);
    }
    process.stdout.write(
      `${questions.length - missed.length} of 30 questions; missed:\n${missed.join('\n')}\n`,
    );
    expect(questions.length - missed.length).toBeGreaterThanOrEqual(AIM);
  });

  test.each(LANGUAGES)('every answer in %s is short', { timeout: MINUTES * 60_000 }, async (language) => {
    let longest = 0;
    let answers = 0;
    for (const kind of KINDS) {
      const file = join(placeOf('real-archive'), `${COLLECTIONS[kind]}.jsonl`);
      let calls: object[] = [];
      const send = async () => {
        const replies = await sendMessages(archive.origin, calls);
        expect(replies.map(({ result }) => result?.isError)).toEqual(calls.map(() => undefined));
        longest = Math.max(longest, ...replies.map(({ bytes }) => bytes));
        answers += replies.length;
        calls = [];
      };
      for await (const line of createInterface({ input: createReadStream(file) })) {
        const { uuid: record }: { uuid: string } = JSON.parse(line);
        for (const part of ['1', 'relations'])
          calls.push(callOf('get_record', { record, language, part }, calls.length));
        if (calls.length === BATCH) await send();
      }
      if (calls.length > 0) await send();
    }
    process.stdout.write(`${answers} answers in ${language}; the longest has ${longest} bytes\n`);
    expect(longest).toBeLessThanOrEqual(MOST_BYTES);
  });
});
