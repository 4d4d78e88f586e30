/** The positions looked at on the analysis board: a tree, whose first children are the main line. */

import type { GameEvent } from "../../lib/messages";

export interface MoveNode {
  id: number;
  text: string;
  event: GameEvent | null; // what led here; null at the root
  parent: MoveNode | null;
  children: MoveNode[];
}

/** Consecutive moves of one line; `depth` 0 is the main line. */
export interface Segment {
  depth: number;
  nodes: MoveNode[];
}

let lastId = 0;

export function rootNode(text: string): MoveNode {
  return { id: ++lastId, text, event: null, parent: null, children: [] };
}

/** Return the child of a node with a text, added if there is none. */
export function addMove(parent: MoveNode, text: string, event: GameEvent | null): MoveNode {
  const known = parent.children.find((child) => child.text === text);
  if (known) return known;
  const node = { id: ++lastId, text, event, parent, children: [] };
  parent.children.push(node);
  return node;
}

export function rootOf(node: MoveNode): MoveNode {
  let root = node;
  while (root.parent) root = root.parent;
  return root;
}

/** Return the last node of the line that goes on from a node. */
export function endOf(node: MoveNode): MoveNode {
  let end = node;
  while (end.children[0]) end = end.children[0];
  return end;
}

/** Return the moves that led to a node, the first one first. */
export function movesTo(node: MoveNode): MoveNode[] {
  const moves: MoveNode[] = [];
  for (let one: MoveNode | null = node; one?.parent; one = one.parent) moves.unshift(one);
  return moves;
}

/** Return all moves below a root as lines: each variation follows the move that it replaces. */
export function segmentsOf(root: MoveNode): Segment[] {
  const found: Segment[] = [];
  function start(depth: number, nodes: MoveNode[]): Segment {
    const segment = { depth, nodes };
    found.push(segment);
    return segment;
  }
  function follow(from: MoveNode, segment: Segment): void {
    let [next, ...others] = from.children;
    while (next) {
      segment.nodes.push(next);
      for (const other of others) follow(other, start(segment.depth + 1, [other]));
      if (others.length) segment = start(segment.depth, []);
      [next, ...others] = next.children;
    }
  }
  follow(root, start(0, []));
  return found.filter((segment) => segment.nodes.length);
}

/** Take a node and all that follows it out of the tree; return its parent. */
export function removeMove(node: MoveNode): MoveNode {
  const parent = node.parent;
  if (!parent) return node;
  parent.children = parent.children.filter((child) => child !== node);
  return parent;
}
