import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Position } from '../../src/domain/event-sourcing/position.ts';
import type { ClientChange } from '../../src/read-models/change-feed/change-mapper.ts';
import { createRecordMapper } from '../../src/read-models/change-feed/record-mapper.ts';
import { injury, type Message, market, NBA, NFL, odds, schedule, score, team } from '../api/spec/messages.ts';
import { type SpecServer, startServer } from '../api/spec/server.ts';

let server: SpecServer;
let told: readonly ClientChange[];
beforeEach(async () => {
  server = await startServer();
  told = [];
});
afterEach(() => server.close());

const at = (time: string) => ({ at: `2026-03-01T${time}:00Z` });
const STARTS = '2026-03-01T16:00:00Z';

/** Feeds messages in, and tells what subscribers would be told of the whole log, read in batches of `size`. */
async function tell(messages: readonly Message[], size = 1000): Promise<readonly ClientChange[]> {
  for (const message of messages) await server.feed(message);
  const toldOf = createRecordMapper(server);
  const all: ClientChange[] = [];
  let after: Position | null = null;
  for (;;) {
    const records = await server.log.readAll(after, size);
    all.push(...(await toldOf(records, () => true)));
    if (records.length < size) break;
    after = records.at(-1)!.position;
  }
  told = all;
  return all;
}

const kinds = () => told.map(({ eventType }) => eventType);
const dataOf = (type: string) => told.filter(({ eventType }) => eventType === type).map(({ data }) => data);

const game = schedule(NBA, 'g1', ['Boston Celtics', 'Miami Heat'], STARTS);

describe('score and status', () => {
  it('are told where a side’s score, or the status, has changed, each change once', async () => {
    await tell([
      game,
      score('g1', 'inprogress', ['0', '0'], { period: '1', clock: '12:00', ...at('11:10') }),
      score('g1', 'inprogress', ['0', '0'], { period: '1', clock: '11:30', ...at('11:11') }),
      score('g1', 'inprogress', ['2', '0'], { period: '1', clock: '11:00', ...at('11:12') }),
      score('g1', 'inprogress', ['2', '0'], { period: '1', clock: '11:00', ...at('11:13') }),
      score('g1', 'final', ['2', '3'], { period: '4', ...at('11:50') }),
    ]);
    expect(kinds()).toEqual(['score', 'status', 'score', 'score', 'status']);
    expect(dataOf('status')).toEqual([
      { event_id: 1, from: 'scheduled', to: 'inprogress' },
      { event_id: 1, from: 'inprogress', to: 'final' },
    ]);
    expect(dataOf('score')[1]).toMatchObject({ event_id: 1, status: 'inprogress', clock: '11:00' });
    expect(dataOf('score').at(-1)).toEqual(await server.get('/v1/events/1/score'));
  });

  it('are those of each moment, however far the read models have come, and whatever the batches', async () => {
    const messages = [
      game,
      ...Array.from({ length: 8 }, (_, n) =>
        score('g1', 'inprogress', [String(n), '0'], { period: '1', ...at(`11:1${n}`) }),
      ),
    ];
    await tell(messages);
    const scores = dataOf('score').map(({ scores: sides }) => (sides as { score: string }[])[0]!.score);
    expect(scores).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
    const once = told;
    for (const size of [1, 2, 3]) expect(await tell([], size)).toEqual(once);
  });

  it('a batch that is asked for again tells the same again', async () => {
    await tell([
      game,
      score('g1', 'inprogress', ['0', '0'], at('11:10')),
      score('g1', 'final', ['1', '0'], at('11:20')),
    ]);
    const toldOf = createRecordMapper(server);
    const records = await server.log.readAll(null, 1000);
    const first = await toldOf(records, () => true);
    expect(await toldOf(records, () => true)).toEqual(first);
    expect(await toldOf(records.slice(-1), () => true)).toEqual(first.slice(-2));
  });

  it('a late message tells what it changes, and nothing where later ones stand', async () => {
    await tell([
      game,
      score('g1', 'inprogress', ['3', '0'], { period: '1', ...at('11:30') }),
      score('g1', 'inprogress', ['1', '0'], { period: '1', ...at('11:20') }),
    ]);
    expect(kinds()).toEqual(['score', 'status']);
  });

  it('nobody is told of history that is brought in', async () => {
    await tell([
      schedule(NFL, 'old', ['Chicago Bears', 'Green Bay Packers'], '2026-02-01T18:00:00Z', {
        at: '2026-01-20T00:00:00Z',
      }),
      score('old', 'final', ['20', '17'], { at: '2026-02-01T21:00:00Z' }),
    ]);
    expect(told).toEqual([]);
  });

  it('only what somebody wants is looked for', async () => {
    await tell([
      game,
      score('g1', 'inprogress', ['0', '0'], at('11:10')),
      score('g1', 'final', ['1', '0'], at('11:20')),
    ]);
    const records = await server.log.readAll(null, 1000);
    const some = await createRecordMapper(server)(records, (type) => type === 'status');
    expect(some.map(({ eventType, index }) => [eventType, index])).toEqual([
      ['status', 1],
      ['status', 1],
    ]);
  });
});

describe('line_move', () => {
  const prices = (home: number, away: number) =>
    market('h2h', [
      ['home', home],
      ['away', away],
    ]);

  it('is told for each row that the movements get, as the odds history shows them', async () => {
    await tell([
      game,
      odds('g1', 'pinnacle', [prices(-110, -110)], at('11:01')),
      odds('g1', 'fanduel', [prices(-105, -115)], at('11:02')),
      odds('g1', 'pinnacle', [prices(-120, 100)], at('11:03')),
      odds('g1', 'fanduel', [prices(-105, -115)], at('11:04')),
      odds('g1', 'pinnacle', [prices(-125, 100)], at('11:05')),
    ]);
    const { movements } = await server.get('/v1/events/1/odds/history?bookmaker=all');
    expect(dataOf('line_move')).toEqual(movements.toReversed().map((row: object) => ({ event_id: 1, ...row })));
    expect(told.filter(({ eventType }) => eventType === 'line_move')).toHaveLength(3);
  });

  it('a late price tells the rows that it puts between others', async () => {
    await tell([
      game,
      odds('g1', 'pinnacle', [prices(-110, -110)], at('11:01')),
      odds('g1', 'pinnacle', [prices(-130, -110)], at('11:05')),
      odds('g1', 'pinnacle', [prices(-120, -110)], at('11:03')),
    ]);
    expect(dataOf('line_move').map(({ price_from, price_to }) => [price_from, price_to])).toEqual([
      [-110, -130],
      [-110, -120],
      [-120, -130],
    ]);
  });
});

describe('injury', () => {
  const teams = [team(NBA, 't1', 'Boston Celtics', 'BOS'), team(NBA, 't2', 'Miami Heat', 'MIA')];

  it('is told for the team’s next event, where it is material or critical for it', async () => {
    await tell([
      ...teams,
      schedule(NBA, 'g2', ['Boston Celtics', 'Miami Heat'], '2026-03-09T16:00:00Z'),
      game,
      injury(NBA, 'Boston Celtics', 'Jayson Tatum', 'questionable', at('08:00')),
      injury(NBA, 'Boston Celtics', 'Jayson Tatum', 'out', at('09:00')),
      injury(NBA, 'Boston Celtics', 'Jayson Tatum', 'out', { note: 'again', ...at('09:30') }),
      injury(NBA, 'Miami Heat', 'Bam Adebayo', 'out', at('11:00')),
    ]);
    const { body } = await server.ask('/v1/events?league=nba');
    const next = body.events.find(({ starts_at }: { starts_at: string }) => starts_at === STARTS).id;
    expect(dataOf('injury').map(({ event_id, player, severity }) => [event_id, player, severity])).toEqual([
      [next, 'Jayson Tatum', 'material'],
      [next, 'Bam Adebayo', 'critical'],
    ]);
    const shown = await server.get(`/v1/events/${next}/injuries`);
    const { event_id: _, ...row } = dataOf('injury')[1] as { event_id: number };
    expect(shown.injuries).toContainEqual(row);
  });

  it('is not told where the team has no event to come', async () => {
    await tell([...teams, injury(NBA, 'Boston Celtics', 'Jayson Tatum', 'out', at('09:00'))]);
    expect(told).toEqual([]);
  });
});
