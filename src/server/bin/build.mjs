import { buildClient } from './build-client.mjs';
import { buildOutput } from './build-output.mjs';
import { explain } from './explain.mjs';

try {
  console.log(`built in ${await buildOutput()}`);
  console.log(`the client in ${await buildClient()}`);
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
