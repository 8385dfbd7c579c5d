import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** One file of the project that imports another. Paths are those from the project's root. */
export interface FileImport {
  readonly from: string;
  readonly to: string;
}

export function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => join(folder, name));
}

/** All imports between files of the project that stand in `src`, `commands` and `projections`. */
export function importsOfSource(): readonly FileImport[] {
  return ['src', 'commands', 'projections'].flatMap(filesBelow).flatMap((from) => {
    const text = readFileSync(join(ROOT, from), 'utf8');
    const specifiers = [...text.matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)].map(([, specifier]) => specifier!);
    return specifiers
      .map((specifier) => ({ from, to: relative(ROOT, resolve(ROOT, dirname(from), specifier)) }))
      .filter(({ to }) => /^(?:src|commands|projections)\/.*\.tsx?$/.test(to));
  });
}

/** What the files of a folder import that is no file of the project: packages, and what Node has built in. */
export function packagesOf(folder: string): readonly string[] {
  const specifiers = filesBelow(folder).flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return [...text.matchAll(/(?:from |import\(|import )'([^.'][^']*)'/g)].map(([, specifier]) => specifier!);
  });
  return [...new Set(specifiers)].sort();
}

/** Every line of the project's source. */
export function sourceLines(): readonly { readonly file: string; readonly text: string }[] {
  return ['src', 'commands', 'projections'].flatMap(filesBelow).flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .map((text) => ({ file, text })),
  );
}

/** The folder of the floor plan in which a file stands: `log` of `src/event-log/port/event-log.ts`. */
export function roomOf(file: string): string {
  const [first, second] = file.split('/');
  return first === 'src' ? second! : first!;
}

/** Groups of names that reach each other along these edges, each group sorted. */
export function cyclesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...edges.keys()].map((name) => [name, reachableFrom(name, edges)]));
  const cycles = new Map<string, string[]>();
  for (const [name, targets] of reached) {
    if (!targets.has(name)) continue;
    const cycle = [...targets].filter((other) => reached.get(other)?.has(name)).sort();
    cycles.set(cycle.join(' '), cycle);
  }
  return [...cycles.values()];
}

function reachableFrom(name: string, edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of edges.get(next) ?? []) {
      if (reached.has(target)) continue;
      reached.add(target);
      open.push(target);
    }
  }
  return reached;
}
