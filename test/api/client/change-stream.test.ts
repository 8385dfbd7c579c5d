import { expect, it } from 'vitest';
import type { Change } from '../../../src/api/client/index.ts';
import { envelope, scriptedClient } from './scripted-fetch.ts';

const change = (id: string) => ({ id, type: 'score', event_id: 1, sport: 'nba', league: 'nba', data: {} });
const message = (event: string, data: object, id?: string) =>
  `event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
const ready = (id: string) => message('ready', { id }, id);
const told = (id: string) => message('score', change(id), id);
const reconnect = (id: string) => message('reconnect', { reason: 'max_stream_duration', max_seconds: 300 }, id);
const stream = (...messages: string[]) =>
  new Response(messages.join(''), { headers: { 'content-type': 'text/event-stream' } });

/** Silences never end here; all other waits are over at once. */
const sleep = (milliseconds: number) => (milliseconds > 40_000 ? new Promise<void>(() => {}) : Promise.resolve());

async function idsOf(changes: AsyncGenerator<Change, void>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of changes) {
    ids.push(id);
    if (ids.length === count) break;
  }
  return ids;
}

it('changes go on behind the last one, over connections that end', async () => {
  const { client, requests } = scriptedClient(
    [stream(ready('5'), told('6-10000'), told('7-0')), stream(ready('7-0'), told('9-0'))],
    {},
    { sleep },
  );
  expect(await idsOf(client.streamChanges({ after: '5', sport: 'nba' }), 3)).toEqual(['6-10000', '7-0', '9-0']);
  expect(requests.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '7-0']);
  expect(requests[0]!.url).toBe('https://sports.example/v1/stream?sport=nba&after=5');
});

it('changes go on from where the filter has come, however long nothing changes', async () => {
  const quiet = Array.from({ length: 10 }, (_, n) => stream(ready(String(n)), reconnect(String(n + 1))));
  const { client, requests } = scriptedClient(
    [...quiet, stream(ready('10'), told('11-0'))],
    { maxRetries: 1 },
    { sleep },
  );
  expect(await idsOf(client.streamChanges(), 1)).toEqual(['11-0']);
  expect(requests.at(-1)!.headers.get('last-event-id')).toBe('10');
});

it('changes that the key may not see are an error', async () => {
  const { client } = scriptedClient([envelope(403, 'sport_scope_denied')], {}, { sleep });
  await expect(idsOf(client.streamChanges({ sport: 'nfl' }), 1)).rejects.toMatchObject({ code: 'sport_scope_denied' });
});
