import { once } from 'node:events';
import { expect, it } from 'vitest';
import { startServer, temporaryFolder } from '../../server/cli/launching.ts';

it('the server that is started honours an Idempotency-Key, also after it was killed', async () => {
  const folder = temporaryFolder();
  const first = await startServer(folder);
  const create = async (url: string) => {
    const response = await fetch(`${url}/api/agent/keys`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${first.key}`,
        'content-type': 'application/json',
        'idempotency-key': 'once',
      },
      body: '{"name":"agent","scopes":["nba"]}',
    });
    return [response.status, response.headers.get('idempotency-replayed'), (await response.json()) as any] as const;
  };
  const [status, replayed, made] = await create(first.url);
  expect([status, replayed]).toEqual([201, null]);
  first.child.kill('SIGKILL');
  await once(first.child, 'close');

  const second = await startServer(folder);
  expect(await create(second.url)).toEqual([201, 'true', { ...made, key: null }]);
  const headers = { authorization: `Bearer ${made.key}` };
  expect((await fetch(`${second.url}/v1/events?sport=nba`, { headers })).status).toBe(200);
});
