// npm runs this before it packs the package.
import { buildPackage } from './build-output.mjs';
import { explain } from './explain.mjs';

try {
  await buildPackage();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}
