import { chmodSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort, launch, run, startServer, temporaryFolder } from '../cli/launching.ts';

const NOBODY = 65_534;

describe('the command doctor', () => {
  it('ends with 0 beside a server that runs, and says so', async () => {
    const folder = temporaryFolder();
    const server = await startServer(folder);

    const { code, stdout } = await run(['doctor', '--data-dir', folder], { env: { PORT: server.port } });

    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok +folder .* in use by a server/m);
    expect(stdout).toMatch(new RegExp(`^ok +port +${server.port} .* is running$`, 'm'));
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('nothing stands in the way');
  });

  it('ends with 1 where something stands in the way, with what to do in the next line', async () => {
    const port = await freePort();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const args = ['doctor', '--data-dir', join(temporaryFolder(), 'data')];

    const told = await run(args, { env: { PORT: String(port) } });
    const json = await run([...args, '--json'], { env: { PORT: String(port) } });

    expect([told.code, json.code, told.stderr]).toEqual([1, 1, '']);
    expect(told.stdout).toMatch(/^failed +port +PORT: .*\n +-> .*set PORT to another port$/m);
    expect(told.stdout.trimEnd().split('\n').at(-1)).toBe('one thing stands in the way');
    const { ok, checks } = JSON.parse(json.stdout);
    expect(ok).toBe(false);
    expect(checks.filter(({ status }: { status: string }) => status === 'failed')).toEqual([
      { check: 'port', status: 'failed', says: expect.any(String), todo: expect.stringContaining('set PORT') },
    ]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'tells a user whose the folder is not that it is not, and what to do',
    async () => {
      const above = temporaryFolder();
      chmodSync(above, 0o755);
      mkdirSync(join(above, 'data'), { mode: 0o700 });
      await run(['doctor', '--help']);
      const as = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
      const asNobody = async (folder: string) => {
        const { stdout } = await launch(['doctor', '--json', '--data-dir', folder], { PORT: '0' }, as).ended;
        return JSON.parse(stdout).checks.filter(({ status }: { status: string }) => status === 'failed');
      };

      expect(await asNobody(join(above, 'data'))).toMatchObject([
        { check: 'rights', says: expect.stringContaining('belongs to user 0'), todo: expect.stringContaining('chown') },
      ]);
      expect(await asNobody(join(above, 'new'))).toMatchObject([
        {
          check: 'folder',
          says: expect.stringContaining('may not make it'),
          todo: expect.stringContaining('install -d'),
        },
      ]);
    },
  );
});
