// npm runs this after an install in the checkout, and before it packs the package.
import { buildClient, canBuildClient } from './build-client.mjs';
import { explain } from './explain.mjs';

try {
  if (canBuildClient()) await buildClient();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
