import type { Random } from '../../apps/api/testing/random.ts';
import type { createVocabulary } from '../bench/words.ts';

/** A realistic query, with words of the archive. */
export function sensibleQuery(random: Random, vocabulary: ReturnType<typeof createVocabulary>): string {
  const clauses: (() => string)[] = [
    () => `last_name:${vocabulary.lastName().slice(0, 2 + random.below(6))}`,
    () => `first_name:${vocabulary.firstName()}`,
    () => `birth_place:${vocabulary.place()}`,
    () => `city:${vocabulary.place()}`,
    () => `name:${vocabulary.word()}`,
    () => `birth_date:${1500 + random.below(300)}..`,
    () => `gender:${random.pick(['male', 'female'])}`,
    () => `century:${15 + random.below(5)}`,
    () => `has:${random.pick(['coordinates', 'english'])}`,
    () =>
      `near:${(50.8 + random.number() * 2.6).toFixed(2)},${(3.4 + random.number() * 3.7).toFixed(2)},${1 + random.below(60)}km`,
    () => `within:51,${3 + random.below(3)},${52 + random.below(2)},6`,
    () => `content:${vocabulary.word()}`,
    () =>
      `${random.pick(['person', 'subject', 'under', 'location', 'event', 'parent', 'related'])}:${1 + random.below(300)}`,
    () => `-${vocabulary.word()}`,
    () => `-last_name:${vocabulary.lastName().slice(0, 2)}`,
    () => `last_name:=${vocabulary.lastName()}`,
    () => `place:${vocabulary.place()}`,
    () => `${vocabulary.word().slice(0, 3 + random.below(3))}*`,
    () => `${vocabulary.word()} OR ${vocabulary.word()}`,
    () => `city:${vocabulary.place()} OR birth_place:${vocabulary.place()}`,
    () => `"${vocabulary.word()} ${vocabulary.word()}"`,
    () => vocabulary.word(),
    () => vocabulary.word(),
  ];
  // A query with `kind:` has only fields of that kind; those of locations are also fields of events.
  const ofKinds: (() => string)[] = [
    () => `kind:event city:${vocabulary.place()}`,
    () => `kind:event place:${vocabulary.place()} ${vocabulary.word()} OR ${vocabulary.word()}*`,
    () =>
      `kind:event near:${(50.8 + random.number() * 2.6).toFixed(2)},4.9,${1 + random.below(60)}km -city:x`,
    () => `kind:${random.pick(['person', 'subject', 'location', 'event'])} ${vocabulary.word()}`,
    () => `kind:person OR kind:location place:${vocabulary.place()}`,
  ];
  if (random.below(5) === 0) return random.pick(ofKinds)();
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(clauses)()).join(' ');
}
