import { type FileImport, roomOf } from './imports.ts';

type Layers = readonly (readonly string[])[];

/**
 * The folders of the floor plan and which of them import which, as a Mermaid graph with the highest layer on top. An
 * arrow is left out where a longer way of arrows leads from its one end to the other: with all of them nothing could be
 * seen.
 */
export function folderGraph(layers: Layers, imports: readonly FileImport[]): string {
  const imported = importsOfFolders(layers, imports);
  const boxes = layers.map((folders, layer) => {
    const names = folders.map((name) => `    ${name}`).join('\n');
    return `  subgraph layer${layer + 1} [" "]\n    direction LR\n${names}\n  end`;
  });
  const arrows = [...imported].flatMap(([folder, others]) => {
    const further = new Set([...others].flatMap((other) => [...reachedFrom(other, imported)]));
    return [...others].filter((other) => !further.has(other)).map((other) => `  ${folder} --> ${other}`);
  });
  return ['flowchart TB', ...boxes.reverse(), ...arrows.sort()].join('\n');
}

/** What each folder imports, as a table in Markdown: the highest layer first. */
export function folderTable(layers: Layers, imports: readonly FileImport[]): string {
  const imported = importsOfFolders(layers, imports);
  const rows = layers.map((folders, layer) =>
    [...folders].sort().map((folder) => {
      const others = [...imported.get(folder)!].sort().map((other) => `\`${other}\``);
      return `| ${layer + 1} | \`${folder}\` | ${others.join(', ')} |`;
    }),
  );
  return ['| layer | room | imports |', '|---|---|---|', ...rows.reverse().flat()].join('\n');
}

function importsOfFolders(layers: Layers, imports: readonly FileImport[]): ReadonlyMap<string, ReadonlySet<string>> {
  const imported = new Map(layers.flat().map((folder) => [folder, new Set<string>()]));
  for (const { from, to } of imports) {
    if (roomOf(from) !== roomOf(to)) imported.get(roomOf(from))?.add(roomOf(to));
  }
  return imported;
}

/** Folders that this one imports, and those that they import, and so on. */
function reachedFrom(folder: string, imported: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    for (const other of imported.get(name) ?? []) {
      if (reached.has(other)) continue;
      reached.add(other);
      visit(other);
    }
  };
  visit(folder);
  return reached;
}
