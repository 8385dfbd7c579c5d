import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_ASSETS } from '../../layout/page-assets.ts';

/**
 * What the page of an event loads: the style of all pages, and what draws its story. The live page serves the built
 * files. A server that runs from its sources has none, and the page shows its tables.
 * @param folder of the built page
 */
export function readEventAssets(folder: string): { readonly styles: string[]; readonly scripts: string[] } {
  const assets = join(folder, 'assets');
  const names = existsSync(assets) ? readdirSync(assets).filter((name) => name.startsWith('event-story-')) : [];
  const ending = (end: string) => names.filter((name) => name.endsWith(end)).map((name) => `/live/assets/${name}`);
  return { styles: [BASE_ASSETS.style.path, ...ending('.css')], scripts: ending('.js') };
}
