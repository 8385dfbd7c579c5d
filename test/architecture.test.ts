import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

/** Files of the project that a file imports, as paths from the root. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, specifier]) => specifier!);
  return specifiers.map((specifier) => relative(ROOT, resolve(ROOT, dirname(file), specifier)));
}

const importsFrom = (folder: string): string[] =>
  filesBelow(folder).flatMap((file) => importsOf(file).map((imported) => `${file} imports ${imported}`));

describe('who may import whom', () => {
  it.each(['projections', 'commands'])('%s knows the domain and nothing else of src', (folder) => {
    const others = importsFrom(folder).filter((line) => !/ imports (?:src\/domain|projections|commands)\//.test(line));
    expect(filesBelow(folder).length).toBeGreaterThan(3);
    expect(others).toEqual([]);
  });

  it('the domain knows nobody', () => {
    expect(importsFrom('src/domain').filter((line) => !line.includes(' imports src/domain/'))).toEqual([]);
  });

  it('operations know ports, and no adapters', () => {
    const ADAPTERS =
      /imports src\/(?:log|store|registry)\/(?:sqlite|memory|sql-)|imports src\/(?:http|streams|cli|feeds|ingest|data-folder)\//;
    expect(importsFrom('src/operations').filter((line) => ADAPTERS.test(line))).toEqual([]);
  });

  it('only the composition chooses adapters', () => {
    const COMPOSITION = /^src\/(?:app|parts|main|config)\.ts|^src\/cli\//;
    const OWN = /^(src\/\w+)\/.* imports \1\//;
    const adapters = importsFrom('src').filter((line) =>
      / imports src\/(?:log|store)\/(?:sqlite-log|sqlite-store|memory-\w+)\.ts/.test(line),
    );
    expect(adapters.length).toBeGreaterThan(0);
    expect(adapters.filter((line) => !COMPOSITION.test(line) && !OWN.test(line))).toEqual([]);
  });
});
