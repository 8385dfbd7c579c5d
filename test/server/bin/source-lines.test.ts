import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { divideMap } from '../../../src/server/bin/map-sections.mjs';

const LINES = fileURLToPath(new URL('../../../src/server/bin/source-lines.mjs', import.meta.url));

/** What a built program prints that fails in a function of its source. */
async function printedBy(source: string, others: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'source-lines-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries({ ...others, 'program.ts': source }))
    writeFileSync(join(folder, name), text);
  const isBundle = Object.keys(others).length > 0;
  const outfile = join(folder, 'program.mjs');
  const entryPoints = [join(folder, 'program.ts')];
  await build({ entryPoints, outfile, format: 'esm', sourcemap: true, bundle: isBundle, minify: !isBundle });
  if (isBundle) divideMap(`${outfile}.map`);
  writeFileSync(
    join(folder, 'start.mjs'),
    `import { nameSourceLines } from ${JSON.stringify(LINES)};\nnameSourceLines();\nawait import('./program.mjs');\n`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'start.mjs')], { encoding: 'utf8' });
  return stdout + stderr;
}

it('given a built program that fails, then the stack names the lines of its source', async () => {
  const source =
    '// A line that the build leaves out.\n\nfunction fail(): never {\n  throw new TypeError("here");\n}\n';
  const printed = await printedBy(
    `${source}try {\n  fail();\n} catch (error) {\n  console.log((error as Error).stack);\n}\n`,
  );
  expect(printed).toMatch(/^TypeError: here\n {4}at .*program\.ts:4:9\)?\n {4}at .*program\.ts:7:3/);
});

it('given a program of several sources, then each line of its stack names the right one', async () => {
  const printed = await printedBy(
    "import { second } from './second.ts';\n\nexport const run = () => second(() => {\n  throw new Error('x');\n});\ntry {\n  run();\n} catch (error) {\n  console.log((error as Error).stack);\n}\n",
    {
      'second.ts':
        "import { third } from './third.ts';\n\n\nexport function second(work: () => void): void {\n  third(work);\n}\n",
      'third.ts': '// Nothing.\n\nexport const third = (work: () => void): void => {\n  work();\n};\n',
    },
  );
  const places = [...printed.matchAll(/(\w+\.ts:\d+:\d+)/g)].map(([place]) => place);
  expect(places).toEqual(['program.ts:4:9', 'third.ts:4:3', 'second.ts:5:3', 'program.ts:3:26', 'program.ts:7:3']);
});

it('given errors without a usual head or place, then their stacks are texts all the same', async () => {
  const printed = await printedBy(
    `const odd = Object.create(null); Error.captureStackTrace(odd); console.log(typeof odd.stack);
     try { JSON.parse('{'); } catch (error) { console.log((error as Error).stack?.split('\\n')[0]); }
     try { [1].map(() => { throw Object.assign(new Error('x'), { name: 'Named' }); }); } catch (error) { console.log((error as Error).stack); }`,
  );
  expect(printed).toMatch(/^string\nSyntaxError: .*\nNamed: x\n {4}at .*program\.ts:3:/);
});
