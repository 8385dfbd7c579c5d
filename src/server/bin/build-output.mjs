import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildClient, CLIENT_FOLDER, canBuildClient } from './build-client.mjs';
import { buildMcpBundle } from './build-mcp-bundle.mjs';
import { buildPage } from './build-page.mjs';
import { PACKED_FOLDER } from './built-folder.mjs';
import { COMMANDS } from './commands.mjs';
import { copyLicences, inlinePackages } from './inlined-packages.mjs';
import { divideMap } from './map-sections.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCES = [
  'src',
  'projections',
  'commands',
  'bench',
  'clients',
  'docs/rules',
  'package.json',
  'package-lock.json',
];
const KEPT_BUILDS = 4;
/** What runs before the commands, or in threads or processes beside them, and so needs files of its own. */
const THREADS = [
  ['install-leagues', 'src/server/composition/install-leagues.ts'],
  ['translate-worker', 'src/server/cli/translate-worker.ts'],
  ['project-worker', 'src/server/embedded/project-worker.ts'],
  ['record-worker', 'src/server/embedded/record-worker.ts'],
  ['backup-worker', 'src/server/backup/backup-worker.ts'],
  ['tidy-worker', 'src/server/backup/tidy-worker.ts'],
  ['follow-worker', 'src/server/standby/follow-worker.ts'],
  ['drill-child', 'src/server/embedded/drill-child.ts'],
  ['checkpoint-worker', 'src/event-log/checkpoint-worker.ts'],
  ['event-log-double-process', 'src/server/engines/event-log-double/double-process.ts'],
];
/** Writes the packages that the server hands out; every build runs it. */
const CLIENT_PACKER = ['write-client-packages', 'src/api/client-packages/write-client-packages.ts'];
/** What is run while the project is worked on, or built. */
const TOOLS = [['write-client', 'src/api/client-generator/write-client.ts'], CLIENT_PACKER];
/** What the benchmarks run in processes of their own: `bench/processes/NAME.ts` becomes `bench-NAME.js`. */
const PROCESSES = 'bench/processes';
const ABANDONED_MS = 10 * 60 * 1000;

/** Names the state of the sources: any file added, removed or written changes it. Reads no file, so it is quick. */
function fingerprint() {
  const hash = createHash('sha256');
  const visit = (path) => {
    const stats = statSync(join(ROOT, path), { throwIfNoEntry: false });
    if (!stats) return;
    if (!stats.isDirectory()) hash.update(`${path}\0${stats.size}\0${stats.mtimeMs}\n`);
    else for (const name of readdirSync(join(ROOT, path)).sort()) if (name !== 'node_modules') visit(join(path, name));
  };
  for (const source of SOURCES) visit(source);
  return hash.digest('hex').slice(0, 16);
}

/**
 * The folder of the build that belongs to the sources as they are, built first where it is not there yet. A build
 * never changes once it has its name: a server that runs keeps its files, and launches at the same moment build
 * beside each other, the first to finish giving its folder the name.
 */
export async function buildOutput() {
  const dist = join(ROOT, 'dist');
  const folder = join(dist, fingerprint());
  if (existsSync(folder)) return folder;
  mkdirSync(dist, { recursive: true });
  const unfinished = join(dist, `unfinished-${process.pid}`);
  const processes = existsSync(join(ROOT, PROCESSES)) ? readdirSync(join(ROOT, PROCESSES)) : [];
  const children = processes.map((name) => [`bench-${name.replace(/\.ts$/, '')}`, `${PROCESSES}/${name}`]);
  try {
    await bundle([...commandEntries(), ...THREADS, ...TOOLS, ...children], unfinished, false);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  dropOldBuilds(dist);
  return folder;
}

/** Builds what a package has in the place of the sources: the operator's commands, and what runs beside them. */
export async function buildPackage() {
  rmSync(PACKED_FOLDER, { recursive: true, force: true });
  const commands = commandEntries().filter(([, file]) => file.startsWith('src/'));
  await bundle([...commands, ...THREADS, CLIENT_PACKER], PACKED_FOLDER, true);
  return PACKED_FOLDER;
}

const commandEntries = () => Object.entries(COMMANDS).map(([name, [file]]) => [name, file]);

/**
 * @param entries of each file its name in the build, and its source; a source that is not there is left out
 * @param isPackage whether the build runs without its sources
 */
async function bundle(entries, folder, isPackage) {
  const { build, stop } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(entries.filter(([, file]) => existsSync(join(ROOT, file)))),
    outdir: folder,
    bundle: true,
    splitting: true,
    plugins: [inlinePackages],
    metafile: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    // Stacks need lines alone.
    sourcesContent: false,
    // Read by `src/platform/command-text.ts`.
    ...(isPackage ? { define: { 'process.env.LEDGERLINE_INSTALLED': '"yes"' } } : {}),
    logLevel: 'silent',
  });
  for (const file of Object.keys(metafile.outputs)) if (file.endsWith('.map')) divideMap(join(ROOT, file));
  copyLicences(Object.keys(metafile.inputs), ROOT, folder);
  await buildPage(build, ROOT, join(folder, 'web'));
  await buildClientPackages(folder);
  // Its process would stay as long as the server that is started next, and wake it up each second.
  await stop();
}

/** What writes the packages, of a build. */
export const clientPacker = (folder) => import(pathToFileURL(join(folder, 'write-client-packages.js')).href);

/** The packages that the server hands out. Without the compiler, that for npm has the client that came with the sources. */
async function buildClientPackages(folder) {
  const { writeClientPackages, writeBundleManifest } = await clientPacker(folder);
  const built = join(folder, 'client-files');
  const javascript = canBuildClient() ? await buildClient(built) : CLIENT_FOLDER;
  writeClientPackages({ javascript, python: join(ROOT, 'clients/python'), output: join(folder, 'client') });
  await buildMcpBundle(join(folder, 'client'), writeBundleManifest);
  rmSync(built, { recursive: true, force: true });
}

/** Leaves the newest few, since a server or a command may still be loading parts of an older one. Builds that were
 *  interrupted go once nobody can be at work on them any more. */
function dropOldBuilds(dist) {
  const writtenAt = (name) => statSync(join(dist, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const names = readdirSync(dist);
  const builds = names.filter((name) => /^[0-9a-f]{16}$/.test(name)).sort((a, b) => writtenAt(b) - writtenAt(a));
  const abandoned = names.filter((name) => /^unfinished-/.test(name) && Date.now() - writtenAt(name) > ABANDONED_MS);
  for (const name of [...builds.slice(KEPT_BUILDS), ...abandoned]) {
    rmSync(join(dist, name), { recursive: true, force: true });
  }
}
