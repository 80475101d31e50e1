/** Finds the cycles of a directed graph: its strongly connected components of more than one node (Tarjan, 1972). */

/** @returns each component with more than one node, and each node with an edge to itself, as a list of nodes */
export function findCycles(edges: readonly { from: string; to: string }[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) {
    if (!targets.has(from)) targets.set(from, []);
    targets.get(from)?.push(to);
  }
  const search = new ComponentSearch(targets);
  for (const node of targets.keys()) search.visit(node);
  return search.components.filter(
    (nodes) => nodes.length > 1 || targets.get(nodes[0] ?? '')?.includes(nodes[0] ?? ''),
  );
}

class ComponentSearch {
  readonly components: string[][] = [];
  readonly #targets: ReadonlyMap<string, readonly string[]>;
  readonly #index = new Map<string, number>();
  readonly #stack: string[] = [];
  readonly #onStack = new Set<string>();

  constructor(targets: ReadonlyMap<string, readonly string[]>) {
    this.#targets = targets;
  }

  visit(node: string): number {
    const seen = this.#index.get(node);
    if (seen !== undefined) return this.#onStack.has(node) ? seen : Infinity;
    const index = this.#index.size;
    this.#index.set(node, index);
    this.#stack.push(node);
    this.#onStack.add(node);
    let lowest = index;
    for (const target of this.#targets.get(node) ?? []) lowest = Math.min(lowest, this.visit(target));
    if (lowest === index) this.#popComponent(node);
    return lowest;
  }

  #popComponent(root: string): void {
    const from = this.#stack.lastIndexOf(root);
    const nodes = this.#stack.splice(from);
    for (const node of nodes) this.#onStack.delete(node);
    this.components.push(nodes);
  }
}
