import type { RecordNode } from '@archiefkast/site/kinds';
import type { Kind } from '@archiefkast/types';
import type { Relations } from '../../../edition/record-views.ts';

/** A record in the graph. */
export function nodeAt(relations: Relations, kind: Kind, position: number): RecordNode {
  const { graph, orderOf, card, referred } = relations;
  return {
    position,
    record: () => card(kind, position),
    related(other, field, most) {
      const found = graph.sort(other, referred(other, field, position), orderOf(other));
      const nodes = found.slice(0, most).map((each) => nodeAt(relations, other, each));
      return { nodes, count: found.length };
    },
    referred: (other, field) =>
      referred(other, field, position).map((each) => nodeAt(relations, other, each)),
  };
}
