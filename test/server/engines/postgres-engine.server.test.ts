import { chmodSync, existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunningEngine } from '../../../src/server/engines/engine.ts';
import { programsFolder } from '../../../src/server/engines/engine.ts';
import { freePort } from '../../../src/server/engines/free-port.ts';
import { postgresEngine } from '../../../src/server/engines/postgres.ts';
import { withoutPostgres } from '../../platform/postgres/postgres-server.ts';

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe.skipIf(withoutPostgres !== '')(`the engine PostgreSQL ${withoutPostgres}`, () => {
  const folders: string[] = [];
  let running: RunningEngine | undefined;
  afterEach(async () => {
    await running?.stop();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
  function newFolder(mode: number): string {
    const folder = mkdtempSync(join(tmpdir(), 'ledgerline-engine-'));
    folders.push(folder);
    chmodSync(folder, mode);
    mkdirSync(join(folder, 'inner'), { mode });
    return join(folder, 'inner', 'registry');
  }
  const start = async (folder: string, port: number) => {
    running = await postgresEngine.start({ folder, port, programs: programsFolder() });
    return running;
  };

  it.each([
    ['that its user can enter', 0o711],
    ['that its user cannot enter', 0o700],
  ])('given a folder %s, when it is killed and started again, then what was written is there', async (_, mode) => {
    const [folder, port] = [newFolder(mode), await freePort()];
    const first = await start(folder, port);
    await ask(first.url, 'create table kept (number integer)');
    await ask(first.url, 'insert into kept values (7)');
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    const second = await start(folder, port);
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, 'select number from kept')).toEqual([{ number: 7 }]);
    const link = join(folder, 'home');
    if (existsSync(link)) folders.push(readlinkSync(link));
  });

  it('given no password, then nobody comes in', async () => {
    const { url } = await start(newFolder(0o711), await freePort());
    const open = new URL(url);
    open.password = '';
    await expect(ask(open.href, 'select 1')).rejects.toThrow();
    expect(await ask(url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  });
});
