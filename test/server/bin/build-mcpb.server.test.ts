import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasPython, pythonVenv } from '../../support/python-venv.ts';
import { temporaryFolder } from '../cli/launching.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const MINUTES = 60_000;
const build = (args: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [join(ROOT, 'src/server/bin/build.mjs'), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
const readEntry = () => JSON.parse(readFileSync(join(ROOT, 'dist/server.json'), 'utf8'));

describe('npm run build -- --mcpb', () => {
  it('writes the bundle and the entry of the registry, for the server at BASE_URL', () => {
    const { status, stdout } = build(['--mcpb'], { BASE_URL: 'https://sports.example/' });
    expect([status, stdout]).toEqual([0, expect.stringContaining('dist/ledgerline.mcpb')]);
    const files = unzipSync(readFileSync(join(ROOT, 'dist/ledgerline.mcpb')));
    const manifest = JSON.parse(Buffer.from(files['manifest.json']!).toString('utf8'));
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect([manifest.version, manifest.user_config.url.default]).toEqual([version, 'https://sports.example']);
    expect(readEntry()).toMatchObject({
      name: 'example.sports/ledgerline',
      version,
      remotes: [{ url: 'https://sports.example/mcp?tools=core' }],
    });
  });

  it.each([
    [['--other'], {}, 'build takes --mcpb and nothing else, not --other\n'],
    [
      ['--mcpb'],
      { BASE_URL: 'nonsense' },
      'BASE_URL must be an address such as https://sports.example, not nonsense\n',
    ],
  ])('with %j and %j it says what is wrong', (args, env, text) => {
    const { status, stdout, stderr } = build(args, env as Record<string, string>);
    expect([status, stdout, stderr]).toEqual([2, '', text]);
  });
});

describe.skipIf(!hasPython('the schema of the registry'))('the entry of the registry', () => {
  // The registry's schema is not on npm. This package from PyPI has it as it was published, and further rules of it.
  const venv = pythonVenv('mcp-registry', join(import.meta.dirname, 'requirements.txt'));
  beforeAll(venv.install, 10 * MINUTES);

  it('holds to the published schema that it names', () => {
    expect(build(['--mcpb'], { BASE_URL: 'https://sports.example' }).status).toBe(0);
    const entry = readEntry();
    const [python] = readdirSync(join(venv.folder, 'lib'));
    const schemas = join(venv.folder, 'lib', python!, 'site-packages/skillsaw/schemas/mcp_registry');
    const schema = JSON.parse(readFileSync(join(schemas, 'v2025_12_11/server.schema.json'), 'utf8'));
    expect(schema.$id).toBe(entry.$schema);
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    const validate = ajv.compile(schema);
    expect([validate(entry), validate.errors]).toEqual([true, null]);
    expect(validate({ ...entry, description: 'x'.repeat(101) })).toBe(false);
  });

  it('passes the rules of the registry that no schema can hold', () => {
    expect(build(['--mcpb'], { BASE_URL: 'https://sports.example' }).status).toBe(0);
    const folder = temporaryFolder();
    const lint = (entry: unknown) => {
      writeFileSync(join(folder, 'server.json'), JSON.stringify(entry));
      try {
        return execFileSync(venv.program('skillsaw'), ['lint', folder], { encoding: 'utf8', stdio: 'pipe' });
      } catch (error) {
        return (error as { stdout: string }).stdout;
      }
    };
    expect(lint(readEntry())).toMatch(/Repo type: mcp-registry[\s\S]*Errors: +0\n[\s\S]*Warnings: +0\n/);
    expect(lint({ ...readEntry(), version: 'latest' })).toMatch(/Errors: +[1-9]/);
  });
});
