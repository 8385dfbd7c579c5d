import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, temporaryFolder } from './launching.ts';

const commands = [
  'start',
  'doctor',
  'update',
  'ingest',
  'import',
  'rebuild',
  'verify',
  'export',
  'replay',
  'audit',
  'backtest',
  'lab',
  'keys',
  'settings',
];

describe('the launcher', () => {
  it.each(commands)('%s --help explains itself on standard output', async (command) => {
    const { code, stdout, stderr } = await run([command, '--help']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^${command} `));
    expect(stdout).toContain('--data-dir');
  });

  it.each([
    [['nonsense']],
    [['start', 'now']],
    [['start', '--prot', '1']],
    [['ingest']],
    [['ingest', '--data-dir', '', '-']],
    [['ingest', '/nowhere/to/be/found.ndjson']],
    [['import', 'nobody', 'games.csv']],
    [['import', 'nflverse']],
    [['import', 'nflverse', '--odds-format', 'roman', '-']],
    [['import', 'nflverse', '--at', 'yesterday', '-']],
    [['rebuild', '--projection', 'nothing']],
    [['doctor', 'now']],
    [['verify', 'everything']],
    [['replay', '--speed', '0']],
    [['replay', '--from', '2025-02-30T00:00:00Z']],
    [['replay', '--to-server', 'http://127.0.0.1:1']],
    [['audit']],
    [['audit', 'event', 'x']],
    [['audit', 'position', '-1x']],
    [['keys', 'create']],
    [['keys', 'create', '--name', 'n', '--plan', 'gold']],
    [['keys', 'create', '--name', 'n', '--scopes', 'curling']],
    [['keys', 'create', '--name', 'n', '--expires', 'soon']],
    [['keys', 'revoke', 'first']],
    [['settings']],
    [['settings', 'get', 'NOTHING']],
    [['settings', 'set', 'PORT']],
    [['settings', 'set', 'PORT', 'x']],
    [['settings', 'set', 'DATA_DIR', '/x']],
  ])('answers %j with one line and exit 2', async (args) => {
    const { code, stdout, stderr } = await run(args, { env: { DATA_DIR: join(temporaryFolder(), 'data') } });

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('tells in one line that a folder is not there, or empty', async () => {
    const folder = temporaryFolder();

    const missing = await run(['verify', '--data-dir', join(folder, 'none')]);
    const empty = await run(['audit', 'event', '1', '--data-dir', folder]);

    expect(missing).toMatchObject({ code: 1, stderr: `there is no data folder at ${join(folder, 'none')}\n` });
    expect(empty).toMatchObject({ code: 1, stderr: `the data folder ${folder} is empty\n` });
  });
});
