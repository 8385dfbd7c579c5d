import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordMapper } from '../../../src/read-models/change-feed/record-mapper.ts';
import { type SpecServer, startServer } from '../../api/spec/server.ts';
import { at, follow, games, pages } from './changing.ts';

const head = { kind: 'identity', source: 'operator', ...at('11:30') };
const bind = { ...head, action: 'bind', what: 'event', source_ref: { source: 'other', ref: 'x' }, into: 1 };
const alias = { ...head, action: 'alias', what: 'team', id: 3, name: 'Da Bears' };
const undo = { ...head, action: 'undo', act: 1 };
const score = { kind: 'score', source: 'other', ...at('09:00'), ref: 'y', status: 'scheduled' };
const dismiss = { ...head, action: 'dismiss', what: 'event', source_ref: { source: 'other', ref: 'y' } };

let server: SpecServer;
beforeEach(async () => {
  server = await startServer();
  await server.feed(...games);
  for (const message of [bind, alias, undo, score, dismiss]) expect((await server.report([message])).rejected).toBe(0);
});
afterEach(() => server.close());

describe('a mended identity', () => {
  it('is a change, of the event or of none', async () => {
    const changes = await pages(server, '');
    expect(changes.map(({ type, event_id, sport, league, data }) => ({ type, event_id, sport, league, data }))).toEqual(
      [
        {
          type: 'identity',
          event_id: 1,
          sport: 'nba',
          league: 'nba',
          data: { action: 'bind', what: 'event', from: 'other:x', into: 1 },
        },
        {
          type: 'identity',
          event_id: null,
          sport: 'nfl',
          league: 'nfl',
          data: { action: 'alias', what: 'team', from: 'Da Bears', into: 3 },
        },
        {
          type: 'identity',
          event_id: 1,
          sport: 'nba',
          league: 'nba',
          data: { action: 'undo', what: 'event', from: 'other:x', into: 1 },
        },
      ],
    );
  });

  it('costs nothing', async () => {
    const { headers } = await server.ask('/v1/changes?after=0');
    expect(headers.get('x-credits-used')).toBe('0');
  });

  it('is told by sport, league and event', async () => {
    const intoOf = async (query: string) => (await pages(server, query)).map(({ data }) => data.into);
    expect(await intoOf('&sport=nfl')).toEqual([3]);
    expect(await intoOf('&league=nba')).toEqual([1, 1]);
    expect(await intoOf('&event_id=1')).toEqual([1, 1]);
    expect(await intoOf('&event_id=2')).toEqual([]);
    expect(await intoOf('&types=score')).toEqual([]);
  });

  it('reaches whoever follows the stream', async () => {
    const client = await follow(server, '?types=identity');
    expect((await client.next()).event).toBe('ready');
    await server.feed({ ...alias, name: 'Monsters of the Midway' });
    const message = await client.next();
    expect(message.event).toBe('identity');
    expect(message.data).toMatchObject({ event_id: null, data: { action: 'alias', into: 3 } });
    client.leave();
  });

  it('is what a webhook would tell', async () => {
    const told = await createRecordMapper(server)(await server.log.readAll(null, 1000), () => true);
    expect(told.map(({ eventType, eventId, data }) => [eventType, eventId, data['action']])).toEqual([
      ['identity', 1, 'bind'],
      ['identity', null, 'alias'],
      ['identity', 1, 'undo'],
    ]);
  });

  it('finds a team under its other name', async () => {
    const { status, body } = await server.post('/v1/resolve/team', { query: 'Da Bears', league: 'nfl' });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('Chicago Bears');
  });
});
