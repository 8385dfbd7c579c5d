import { afterEach, beforeEach, expect, it } from 'vitest';
import { streams } from '../../src/domain/streams/domain-events.ts';
import { type AgentServer, serveAgent } from '../api/agent/serving.ts';
import { NFL, player, schedule, splits, team } from '../api/spec/messages.ts';

// Found by an hour of fuzzing: members that the format does not know were folded, so an event's splits grew with every
// message, and each late record carried all of them. 1,200 records took 715 MB of the log, and reading them as much
// memory.

const MESSAGES = 40;
/** Of one message. */
const MEMBERS = 200;

let server: AgentServer;
beforeEach(async () => {
  server = await serveAgent();
  await server.feed(schedule(NFL, 'game', ['Kansas City Chiefs', 'Denver Broncos'], '2026-03-01T18:00:00Z'));
});
afterEach(() => server.close());

/** Unknown members, others in each message. */
const unknown = (message: number) =>
  Object.fromEntries(Array.from({ length: MEMBERS }, (_, index) => [`unknown_${message}_${index}`, { x: 'x' }]));
/** Each message is older than all before it. */
const timeOf = (message: number) =>
  new Date(Date.UTC(2026, 1, 20) - message * 60_000).toISOString().replace('.000', '');

const lengthsOf = async (stream: string): Promise<readonly number[]> => {
  const [records] = await server.log.readStreams([stream]);
  return records!.map(({ data }) => JSON.stringify(data).length);
};

it.each<[string, (message: number) => object, stream: string]>([
  [
    'splits',
    (message) =>
      splits(
        'game',
        { moneyline: { home: { bets_pct: message, handle_pct: message, ...unknown(message) } }, ...unknown(message) },
        { at: timeOf(message) },
      ),
    streams.splits(1),
  ],
  [
    'a team',
    (message) =>
      team(NFL, 'chiefs', 'Kansas City Chiefs', 'KC', {
        at: timeOf(message),
        fifa_rank: message + 1,
        ...unknown(message),
      }),
    streams.team(1),
  ],
  [
    'a player',
    (message) =>
      player('nfl', 'mahomes', 'Patrick Mahomes', { at: timeOf(message), weight_kg: message, ...unknown(message) }),
    streams.player(1),
  ],
])('unknown members of %s stay in their record, and no later record grows by them', async (_, messageOf, stream) => {
  for (let message = 0; message < MESSAGES; message++) await server.feed(messageOf(message) as never);
  const lengths = (await lengthsOf(stream)).slice(-MESSAGES);
  expect(lengths).toHaveLength(MESSAGES);
  const [first] = lengths;
  expect(first).toBeGreaterThan(MEMBERS * 20);
  expect(Math.max(...lengths)).toBeLessThan(first! + 2000);
});

it('unknown markets of any kind stay as they are where the source has the sides in the other order', async () => {
  const match = {
    ...{ sport: 'nfl', league: 'nfl', starts_at: '2026-03-01T18:00:00Z' },
    ...{ home: 'Denver Broncos', away: 'Kansas City Chiefs' },
  };
  const others = { text: 'a long text', list: ['a'], number: 1 };
  const home = { bets_pct: 60, handle_pct: 70 };
  await server.feed({
    ...splits('other', { moneyline: { home }, ...others }, { at: '2026-02-20T00:00:00Z' }),
    ...{ source: 'other', match },
  } as never);
  const [[record]] = (await server.log.readStreams([streams.splits(1)])) as any;
  expect(record.data.content.markets).toEqual({ moneyline: { away: home }, ...others });
});
