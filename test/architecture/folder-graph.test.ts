import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderGraph, folderTable } from './folder-graph.ts';
import { importsOfSource } from './imports.ts';
import { ROOM_LAYERS } from './rooms.ts';

const PAGE = resolve(import.meta.dirname, '../../docs/architecture.md');
const ANEW = 'UPDATE_GRAPH=1 npx vitest run --project unit test/architecture/folder-graph.test.ts';

/** The page with both parts that are made from the imports between their marks. */
function pageOf(text: string): string {
  const imports = importsOfSource();
  const parts = {
    graph: '```mermaid\n' + folderGraph(ROOM_LAYERS, imports) + '\n```',
    table: folderTable(ROOM_LAYERS, imports),
  };
  return Object.entries(parts).reduce(
    (page, [name, made]) =>
      page.replace(new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end of ${name} -->)`), (_, begin, end) => {
        return `${begin}\n${made}\n\n${end}`;
      }),
    text,
  );
}

describe('the graph of folders', () => {
  const layers = [['low', 'beside'], ['middle'], ['high']];
  const imports = [
    { from: 'src/high/a.ts', to: 'src/middle/b.ts' },
    { from: 'src/high/c.ts', to: 'src/middle/b.ts' },
    { from: 'src/high/a.ts', to: 'src/high/c.ts' },
    { from: 'src/high/a.ts', to: 'src/low/d.ts' },
    { from: 'src/high/a.ts', to: 'src/beside/e.ts' },
    { from: 'src/middle/b.ts', to: 'src/low/d.ts' },
  ];

  it('has each folder in its layer, and one arrow for all imports between two folders', () => {
    const boxes = [
      ['layer3', 'high'],
      ['layer2', 'middle'],
      ['layer1', 'low\n    beside'],
    ].map(([layer, folders]) => `  subgraph ${layer} [" "]\n    direction LR\n    ${folders}\n  end`);
    // None from high to low: the way by middle says it.
    const arrows = ['  high --> beside', '  high --> middle', '  middle --> low'];

    expect(folderGraph(layers, imports)).toBe(['flowchart TB', ...boxes, ...arrows].join('\n'));
  });

  it('has a table beside it that names all imports', () => {
    expect(folderTable(layers, imports).split('\n').slice(2)).toEqual([
      '| 3 | `high` | `beside`, `low`, `middle` |',
      '| 2 | `middle` | `low` |',
      '| 1 | `beside` |  |',
      '| 1 | `low` |  |',
    ]);
  });

  it('of docs/architecture.md is what the imports say', () => {
    const text = readFileSync(PAGE, 'utf8');
    const page = pageOf(text);
    if (process.env['UPDATE_GRAPH']) writeFileSync(PAGE, page);
    else expect(text, `docs/architecture.md is out of date; write it anew with ${ANEW}`).toBe(page);

    expect(page).toContain('server --> web');
    const said = page.slice(0, page.indexOf('<!-- table -->'));
    expect(ROOM_LAYERS.flat().filter((folder) => !said.includes(`\`${folder}\``))).toEqual([]);
  });
});
