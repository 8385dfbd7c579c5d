import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { DocumentationPage } from '../../api/mcp/modern/resources.ts';
import { programFolder } from '../../platform/program-folder.ts';

/**
 * The pages of the folder `docs`, by name; those of its folders have names such as `rooms/api`. They are small, and kept
 * in memory.
 * @param folder by default that of the program, whether this runs from its sources, a build or a package
 */
export function readDocumentation(folder = findDocumentation()): readonly DocumentationPage[] {
  if (folder === undefined || !existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => {
      const markdown = readFileSync(join(folder, path), 'utf8');
      const name = path.slice(0, -'.md'.length).replaceAll(sep, '/');
      return { name, title: /^# (.+)$/m.exec(markdown)?.[1] ?? name, markdown };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Undefined where the program came without it. */
function findDocumentation(): string | undefined {
  const folder = programFolder();
  return folder && join(folder, 'docs');
}
