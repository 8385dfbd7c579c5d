import { buildOutput } from './build-output.mjs';
import { explain } from './explain.mjs';

try {
  console.log(`built in ${await buildOutput()}`);
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
