import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startServer, teams, temporaryFolder } from '../../server/cli/launching.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';

it.each([
  ['is deleted', (folder: string) => rmSync(folder, { recursive: true }), false],
  ['is moved', (folder: string) => renameSync(folder, `${folder}-elsewhere`), false],
  [
    'is replaced',
    (folder: string) => {
      renameSync(folder, `${folder}-elsewhere`);
      mkdirSync(folder);
    },
    true,
  ],
])('fault 13: a server whose folder %s ends, and makes it not anew', async (_, act, isThere) => {
  const folder = join(temporaryFolder(), 'data');
  const server = await startServer(folder, { INGEST_KEY: 'key-of-the-door' });
  const post = (body: string) =>
    fetch(`${server.url}/ingest/v1/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer key-of-the-door', 'content-type': 'application/x-ndjson' },
      body,
    });
  expect((await post(teams(10))).status).toBe(200);
  const from = Date.now();
  act(folder);
  const { code, stderr } = await server.ended;
  expect(Date.now() - from).toBeLessThan(patientTimeout(5000));
  expect(code).toBe(1);
  const fatal = stderr.split('\n').filter((line) => line.includes('"level":60'));
  expect(fatal).toEqual([expect.stringContaining('ledgerline.db')]);
  expect([existsSync(folder), existsSync(join(folder, 'ledgerline.db'))]).toEqual([isThere, false]);
});
