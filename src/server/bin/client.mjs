import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildOutput } from './build-output.mjs';
import { explain } from './explain.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

try {
  const { writeClient } = await import(pathToFileURL(join(await buildOutput(), 'write-client.js')).href);
  for (const file of await writeClient(ROOT)) console.log(`wrote ${file}`);
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
