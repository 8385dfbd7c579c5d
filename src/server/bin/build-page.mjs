import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const SOURCES = 'src/web/live/page';
const ENTRY = `${SOURCES}/main.tsx`;
/** What draws the story on the page of an event. */
const STORY_ENTRY = 'src/web/browse/events/page/event-story.tsx';
/** Of the odds screen, which the server draws: it finds these files by their names. */
const ODDS_ENTRY = `${SOURCES}/odds.tsx`;
/** Where the server has the page's files, whatever the page's own address. */
const ASSETS = '/live/assets';

/**
 * Bundles the live page and the story of the page of an event into `folder`: `index.html`, and `assets/` with names that follow from what is in them, so that
 * browsers may keep them for ever. Where there is no page, nothing is made.
 * @param build esbuild's
 */
export async function buildPage(build, root, folder) {
  if (!existsSync(join(root, ENTRY))) return;
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [ENTRY, ODDS_ENTRY, STORY_ENTRY],
    outdir: join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    logLevel: 'silent',
  });
  const [script, { cssBundle }] = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === ENTRY);
  let html = readFileSync(join(root, SOURCES, 'index.html'), 'utf8');
  html = html.replace(`${ASSETS}/main.js`, `${ASSETS}/${basename(script)}`);
  if (cssBundle) html = html.replace(`${ASSETS}/main.css`, `${ASSETS}/${basename(cssBundle)}`);
  writeFileSync(join(folder, 'index.html'), html);
}
