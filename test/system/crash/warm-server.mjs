// The server's command `start`, loaded and waiting: it begins when standard input has a line, the settings as JSON.
// Loading takes four times as long as starting, and so happens while the server before it runs.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { buildOutput } from '../../../src/server/bin/build-output.mjs';

const output = await buildOutput();
const load = (name) => import(pathToFileURL(join(output, name)).href);
const { run } = await load('start.js');
await load(readdirSync(output).find((name) => /^serve-[A-Z0-9]{8}\.js$/.test(name)));
const lines = createInterface({ input: process.stdin });
lines.once('line', async (line) => {
  lines.close();
  process.stdin.destroy();
  const { folder, env } = JSON.parse(line);
  Object.assign(process.env, env);
  const code = await run(['--data-dir', folder]);
  process.stdout.write('', () => process.exit(code));
});
process.stdout.write('loaded\n');
