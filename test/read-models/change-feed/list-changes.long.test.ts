import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordMapper } from '../../../src/read-models/change-feed/record-mapper.ts';
import { type Message, NFL, schedule, score } from '../../api/spec/messages.ts';
import { type SpecServer, startServer } from '../../api/spec/server.ts';
import { at, games, hurt, newsOfAll, pages, points, prices } from './changing.ts';

let server: SpecServer;
beforeEach(async () => {
  server = await startServer();
  await server.feed(...games);
});
afterEach(() => server.close());

const tell = async (...messages: readonly Message[]) => {
  for (const message of messages) await server.feed(message);
};
const typesOf = (changes: readonly { type: string }[]) => changes.map(({ type }) => type);
const types = async (query: string) => typesOf(await pages(server, query));

describe('a change', () => {
  it('is what a webhook would tell, in the order of the log, and of one record the status first', async () => {
    await tell(...newsOfAll);
    const changes = await pages(server, '');
    expect(typesOf(changes)).toEqual(['injury', 'line_move', 'status', 'score', 'line_move', 'score']);
    const told = await createRecordMapper(server)(await server.log.readAll(null, 1000), () => true);
    expect(told).toHaveLength(changes.length);
    for (const { eventType, position, data, at: recordedAt } of told) {
      const one = changes.find(({ id, type }) => type === eventType && id.startsWith(`${position}-`));
      expect(one).toMatchObject({ data: JSON.parse(JSON.stringify(data)), recorded_at: recordedAt });
    }
    const status = changes[2];
    expect(status).toEqual({
      id: status.id,
      type: 'status',
      event_id: 1,
      sport: 'nba',
      league: 'nba',
      at: '2026-03-01T11:10:00Z',
      recorded_at: '2026-03-01T12:00:00.000Z',
      data: { event_id: 1, from: 'scheduled', to: 'inprogress' },
    });
  });

  it('is none where history is brought in', async () => {
    await tell(
      schedule(NFL, 'old', ['Dallas Cowboys', 'New York Giants'], '2026-02-01T18:00:00Z', {
        at: '2026-01-20T00:00:00Z',
      }),
      score('old', 'final', ['20', '17'], { at: '2026-02-01T21:00:00Z' }),
    );
    expect(await pages(server, '')).toEqual([]);
  });

  it('stays what it was when the clock goes on, and when the read models are built anew', async () => {
    await tell(...newsOfAll);
    const first = await pages(server, '');
    // What comes later about the same events does not change what was told of the earlier.
    await tell(
      schedule(NFL, 'g2', ['Chicago Bears', 'Green Bay Packers'], '2026-03-02T18:00:00Z', at('11:40')),
      points('g1', 9, '11:41', 'final'),
    );
    server.setClock('2026-03-20T12:00:00Z');
    await server.rebuild();
    expect((await pages(server, '')).slice(0, first.length)).toEqual(first);
  });
});

describe('an injury', () => {
  const later = schedule(
    { sport: 'nba', league: 'nba' },
    'g3',
    ['Boston Celtics', 'Miami Heat'],
    '2026-03-03T16:00:00Z',
    at('08:00'),
  );

  it('belongs to the event that was next when it was reported, whatever became of it', async () => {
    await tell(later, hurt('Jayson Tatum', 'out', '09:00'));
    await tell(points('g1', 0, '11:10'), points('g1', 2, '11:30', 'final'), hurt('Al Horford', 'out', '11:40'));
    const injuries = await pages(server, '&types=injury');
    const g3 = await server.eventId('feed', 'g3');
    expect(injuries.map(({ event_id, data }) => [event_id, data.player])).toEqual([
      [1, 'Jayson Tatum'],
      [g3, 'Al Horford'],
    ]);
  });

  it('follows an event that is moved', async () => {
    await tell(later, hurt('Jayson Tatum', 'out', '09:00'));
    const moved = (time: string) =>
      schedule(
        { sport: 'nba', league: 'nba' },
        'g1',
        ['Boston Celtics', 'Miami Heat'],
        '2026-05-03T16:00:00Z',
        at(time),
      );
    await tell(moved('09:30'), hurt('Al Horford', 'out', '11:40'));
    const g3 = await server.eventId('feed', 'g3');
    expect((await pages(server, '&types=injury')).map(({ event_id }) => event_id)).toEqual([1, g3]);
  });

  it('belongs to none that began more than a week ago and was never told to be over', async () => {
    const stale = schedule(
      { sport: 'nba', league: 'nba' },
      'g0',
      ['Boston Celtics', 'Miami Heat'],
      '2026-02-10T16:00:00Z',
      at('08:00'),
    );
    await tell(stale, hurt('Jayson Tatum', 'out', '09:00'));
    expect((await pages(server, '&types=injury')).map(({ event_id }) => event_id)).toEqual([1]);
  });
});

describe('a page', () => {
  it('without a cursor has no changes, costs nothing, and gives the cursor of now', async () => {
    await tell(...newsOfAll);
    const { body, credits } = await server.ask('/v1/changes');
    expect([body.changes, body.has_more, credits]).toEqual([[], false, 0]);
    await tell(points('g1', 3, '11:20'));
    expect(typesOf((await server.get(`/v1/changes?after=${body.next_after}`)).changes)).toEqual(['score']);
  });

  it('costs a credit where it has changes', async () => {
    await tell(...newsOfAll);
    const { body, credits } = await server.ask('/v1/changes?after=0');
    expect([body.changes.length, credits]).toEqual([6, 1]);
    const empty = await server.ask(`/v1/changes?after=${body.next_after}`);
    expect([empty.body.changes, empty.body.next_after, empty.credits]).toEqual([[], body.next_after, 0]);
  });

  it('costs a credit where it looked through many records, also if it found nothing', async () => {
    await tell(...newsOfAll);
    const few = await server.ask('/v1/changes?after=0&bookmaker=nobody&types=line_move');
    expect([few.body.changes, few.credits]).toEqual([[], 0]);
    expect(few.body.records_checked).toBeGreaterThan(0);
    const minute = (index: number) => `0${1 + Math.floor(index / 60)}:${String(index % 60).padStart(2, '0')}`;
    await server.feed(...Array.from({ length: 500 }, (_, i) => prices('g2', 'pinnacle', 101 + i, minute(i))));
    const many = await server.ask('/v1/changes?after=0&bookmaker=nobody&types=line_move');
    expect([many.body.changes, many.credits]).toEqual([[], 1]);
    expect(many.body.records_checked).toBeGreaterThan(500);
    const idle = await server.ask(`/v1/changes?after=${many.body.next_after}&bookmaker=nobody`);
    expect([idle.body.changes, idle.credits]).toEqual([[], 0]);
  });

  it.each([1, 2, 3, 4, 5, 6])('of %d goes on exactly behind the one before', async (limit) => {
    await tell(...newsOfAll);
    const whole = await pages(server, '&limit=500');
    expect(await pages(server, `&limit=${limit}`)).toEqual(whole);
  });

  it('goes on behind any change by its id', async () => {
    await tell(...newsOfAll);
    const whole = await pages(server, '');
    for (const [place, { id }] of whole.entries()) {
      expect(await pages(server, '', id)).toEqual(whole.slice(place + 1));
    }
  });

  it('tells whether there are more', async () => {
    await tell(...newsOfAll);
    expect((await server.get('/v1/changes?after=0&limit=5')).has_more).toBe(true);
    expect((await server.get('/v1/changes?after=0&limit=6')).has_more).toBe(false);
    expect((await server.get('/v1/changes?after=0&limit=2&types=score')).has_more).toBe(false);
  });

  it('moves its cursor past what the filter leaves out', async () => {
    await tell(...newsOfAll);
    const { next_after: next, changes } = await server.get('/v1/changes?after=0&types=intelligence');
    expect(changes).toEqual([]);
    expect(await pages(server, '', next)).toEqual([]);
    await tell(points('g1', 3, '11:20'));
    expect(typesOf(await pages(server, '', next))).toEqual(['score']);
  });

  it('shows what was acknowledged before anything is projected', async () => {
    const { next_after: now } = await server.get('/v1/changes');
    await fetch(`${server.url}/ingest/v1/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer the-ingest-key', 'content-type': 'application/json' },
      body: JSON.stringify([points('g1', 1, '11:20')]),
    });
    expect(typesOf((await server.get(`/v1/changes?after=${now}`)).changes)).toEqual(['status', 'score']);
  });
});

describe('filters', () => {
  beforeEach(() => tell(...newsOfAll, prices('g1', 'fanduel', -110, '11:20'), prices('g1', 'fanduel', -115, '11:21')));

  it('hold back other types, sports, leagues and events', async () => {
    expect(await types('&types=score,status')).toEqual(['status', 'score', 'score']);
    expect(await types('&sport=nfl')).toEqual(['line_move']);
    expect(await types('&league=nba,epl&types=line_move')).toEqual(['line_move', 'line_move']);
    expect(await types('&event_id=2')).toEqual(['line_move']);
    expect(await types('&event_id=1,2&types=line_move')).toEqual(['line_move', 'line_move', 'line_move']);
    expect(await types('&sport=nfl&event_id=1')).toEqual([]);
  });

  it('by bookmaker hold back moves of other lines, and nothing else', async () => {
    expect(await types('&bookmaker=pinnacle')).toEqual(['injury', 'line_move', 'status', 'score', 'score']);
    expect(await types('&bookmaker=pinnacle,FanDuel,&types=line_move')).toHaveLength(3);
    expect(await types('&bookmaker=nobody&types=line_move')).toEqual([]);
  });

  it('match nothing by names that nobody knows, and all where they are empty', async () => {
    expect(await types('&sport=curling')).toEqual([]);
    expect(await types('&league=curling')).toEqual([]);
    expect(await types('&sport=&types=&league=,&event_id=')).toHaveLength(7);
  });

  it('refuse unknown types and events', async () => {
    const unknown = await server.ask('/v1/changes?types=score,goal');
    expect([unknown.status, unknown.body.error.errors[0].loc]).toEqual([422, ['query', 'types']]);
    expect((await server.ask('/v1/changes?event_id=x')).status).toBe(422);
    expect((await server.ask('/v1/changes?event_id=1,999')).body.error).toMatchObject({
      code: 'not_found',
      status: 404,
    });
  });

  it('keep a key to its sports', async () => {
    const key = await server.newKey(['nfl']);
    expect(typesOf((await server.get('/v1/changes?after=0', key)).changes)).toEqual(['line_move']);
    for (const query of ['sport=nba', 'sport=nfl,nba', 'league=nba', 'event_id=1']) {
      const { body } = await server.ask(`/v1/changes?${query}`, { key });
      expect([query, body.error.code]).toEqual([query, 'sport_scope_denied']);
    }
    expect((await server.ask('/v1/changes?after=0&event_id=2&league=nfl', { key })).body.changes).toHaveLength(1);
  });
});

describe('a cursor', () => {
  it.each(['x', '-1', '01', '1-', '1-x', '0-0', '1.5', '1-01', '99999999999999999999', ''])(
    'that is %j is 400',
    async (after) => {
      const { status, body } = await server.ask(`/v1/changes?after=${after}`);
      expect([status, body.error.code]).toEqual([400, 'bad_request']);
    },
  );

  it.each(['%00', '1%00', 'x', '1-', '-1', '01', '9'.repeat(400)])('that is none is 400: %s', async (after) => {
    const { status, body } = await server.ask(`/v1/changes?after=${after}`);
    expect([status, body.error.code]).toEqual([400, 'bad_request']);
  });

  it('beyond the end of the log is 400', async () => {
    const { next_after: now } = await server.get('/v1/changes');
    expect((await server.ask(`/v1/changes?after=${now}`)).status).toBe(200);
    expect((await server.ask(`/v1/changes?after=${Number(now) + 100}`)).body.error.code).toBe('bad_request');
  });
});
