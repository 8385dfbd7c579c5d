/** Members that stay in an answer whatever is selected: whether there is one and whether it is whole, how many rows, and how the list goes on. */
const ALWAYS = ['available', 'total', 'has_more', 'next_after', 'next_after_id', 'truncated'] as const;

/** Members by name; null selects the whole member. */
type Selection = Map<string, Selection | null>;

/** Paths in order, each once, without those below another one: two lists that select the same are the same. */
export function shortestPaths(paths: readonly string[]): string[] {
  const given = new Set(paths);
  const isBelowAnother = (path: string): boolean => {
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      if (given.has(path.slice(0, dot))) return true;
    }
    return false;
  };
  return [...given].filter((path) => !isBelowAnother(path)).sort();
}

/**
 * An answer with the members at these paths only, and those that always stay. A path goes through lists. What has no
 * members, as null, stays where a path goes on below it. The answer itself is not changed.
 * @param paths shortest ones; undefined: everything
 */
export function selectFields<Answer>(answer: Answer, paths: readonly string[] | undefined): Answer {
  if (paths === undefined) return answer;
  const selection = selectionOf(paths);
  for (const name of ALWAYS) selection.set(name, null);
  return select(answer, selection) as Answer;
}

function selectionOf(paths: readonly string[]): Selection {
  const root: Selection = new Map();
  for (const path of paths) {
    const names = path.split('.');
    const last = names.pop()!;
    let at = root;
    for (const name of names) {
      const below = at.get(name) ?? new Map();
      at.set(name, below);
      at = below;
    }
    at.set(last, null);
  }
  return root;
}

function select(value: unknown, selection: Selection): unknown {
  if (Array.isArray(value)) return value.map((item) => select(item, selection));
  if (typeof value !== 'object' || value === null) return value;
  const selected: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const below = selection.get(name);
    if (below !== undefined) selected[name] = below === null ? member : select(member, below);
  }
  return selected;
}
