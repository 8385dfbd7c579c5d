#!/usr/bin/env node
// Runs a command in this very process, so that signals and pipes reach it as they are. In a checkout it first builds what
// is not built. Plain JavaScript: this is what runs before anything is built.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { findNodeProblem } from './node-version.mjs';
import { watchParent } from './parent-watch.mjs';
import { launcherFlags, missingServerFlags } from './server-flags.mjs';
import { nameSourceLines } from './source-lines.mjs';

const LAUNCHER = fileURLToPath(import.meta.url);
const [name, ...args] = process.argv.slice(2);

const nodeProblem = findNodeProblem(process.versions.node);
if (nodeProblem) {
  console.error(nodeProblem);
  process.exit(1);
}

const { builtFolder, isInstalled, PACKED_FOLDER } = await import('./built-folder.mjs');
// `npm start` gives these flags. Nobody gives them to the installed program, so Node starts once more in its own place.
const missing = isInstalled && name === 'start' ? missingServerFlags(process) : [];
if (missing.length > 0) {
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...missing, LAUNCHER, name, ...args]);
}

watchParent(process.env, process);
// A link of npm leads here. What starts further processes needs the file itself.
process.argv[1] = LAUNCHER;
// A V8 that does not know it says so on standard error, and goes on.
for (const flag of launcherFlags(process.execArgv)) setFlagsFromString(flag);

const { COMMANDS } = await import('./commands.mjs');
if (name === '--version' || name === '-v') {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  console.log(version);
  process.exit(0);
}
const asksForHelp = name === '--help' || name === '-h';
if (asksForHelp || !Object.hasOwn(COMMANDS, name ?? '')) {
  const has = (command) => !isInstalled || existsSync(join(PACKED_FOLDER, `${command}.js`));
  const names = Object.keys(COMMANDS).filter(has);
  const width = Math.max(...names.map((name) => name.length)) + 2;
  const list = names.map((command) => `  ${command.padEnd(width)}${COMMANDS[command][1]}`);
  const text = `Commands:\n${list.join('\n')}\n\nEach one tells more with --help. --version tells which version this is.`;
  if (asksForHelp) console.log(text);
  else if (name === undefined) console.error(text);
  else console.error(`there is no command ${name}; there are ${names.join(', ')}`);
  process.exit(asksForHelp ? 0 : 2);
}

const { explain } = await import('./explain.mjs');
let run;
try {
  const folder = await builtFolder();
  const file = join(folder, `${name}.js`);
  if (!existsSync(file)) {
    console.error(`${name} is not part of this version`);
    process.exit(1);
  }
  nameSourceLines();
  // First, since the command makes tables of the catalogue as it loads.
  await import(pathToFileURL(join(folder, 'install-leagues.js')).href);
  ({ run } = await import(pathToFileURL(file).href));
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
const exitCode = await run(args);
// What was written goes out first; a timer or a connection that something left open does not hold the command.
process.stdout.write('', () => process.exit(exitCode));
