import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClient } from './build-client.mjs';
import { buildOutput, clientPacker } from './build-output.mjs';
import { explain } from './explain.mjs';

const DIST = fileURLToPath(new URL('../../../dist', import.meta.url));
const options = process.argv.slice(2);
const unknown = options.find((option) => option !== '--mcpb');
const baseUrl = (process.env.BASE_URL?.trim() || 'http://localhost:3000').replace(/\/+$/, '');

if (unknown !== undefined) {
  console.error(`build takes --mcpb and nothing else, not ${unknown}`);
  process.exit(2);
}
if (!URL.canParse(baseUrl)) {
  console.error(`BASE_URL must be an address such as https://sports.example, not ${baseUrl}`);
  process.exit(2);
}
try {
  const folder = await buildOutput();
  console.log(`built in ${folder}`);
  console.log(`the client in ${await buildClient()}`);
  if (options.includes('--mcpb')) {
    const { writeAgentFiles } = await clientPacker(folder);
    for (const file of writeAgentFiles(join(folder, 'client'), baseUrl, DIST)) console.log(`wrote ${file}`);
  }
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
