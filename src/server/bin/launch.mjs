// Builds what is not built, then runs the command in this very process, so that signals and pipes reach it as they
// are. Plain JavaScript: this is what runs before anything is built.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { watchParent } from './parent-watch.mjs';
import { launcherFlags } from './server-flags.mjs';

watchParent(process.env, process);

// A V8 that does not know it says so on standard error, and goes on.
for (const flag of launcherFlags(process.execArgv)) setFlagsFromString(flag);

const [name, ...args] = process.argv.slice(2);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node.js 20.19 or newer is needed; this is ${process.versions.node}`);
  process.exit(1);
}

const { COMMANDS } = await import('./commands.mjs');
if (name === '--help' || !Object.hasOwn(COMMANDS, name ?? '')) {
  const list = Object.entries(COMMANDS).map(([command, [, summary]]) => `  ${command.padEnd(11)}${summary}`);
  const text = `Commands:\n${list.join('\n')}\n\nEach one tells more with --help.`;
  if (name === '--help') console.log(text);
  else if (name === undefined) console.error(text);
  else console.error(`there is no command ${name}; there are ${Object.keys(COMMANDS).join(', ')}`);
  process.exit(name === '--help' ? 0 : 2);
}

const { explain } = await import('./explain.mjs');
let run;
try {
  const { buildOutput } = await import('./build-output.mjs');
  const file = join(await buildOutput(), `${name}.js`);
  if (!existsSync(file)) {
    console.error(`${name} is not part of this version`);
    process.exit(1);
  }
  process.setSourceMapsEnabled(true);
  ({ run } = await import(pathToFileURL(file).href));
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}
const exitCode = await run(args);
// What was written goes out first; a timer or a connection that something left open does not hold the command.
process.stdout.write('', () => process.exit(exitCode));
