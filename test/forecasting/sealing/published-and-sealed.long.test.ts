import { expect, it, onTestFinished } from 'vitest';
import { DAY, HOUR } from '../../../src/domain/primitives/time.ts';
import { checkSeals } from '../../../src/domain/proof/check-seals.ts';
import type { SealFile } from '../../../src/domain/proof/seal-file.ts';
import { createSealReader } from '../../../src/read-models/seals/seal-reader.ts';
import { verifySealsOfLog } from '../../../src/read-models/seals/walk-days.ts';
import { serveAgent } from '../../api/agent/serving.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { iso, messagesOf, pricesOf, refOf, scheduleOf } from '../track-record/game-messages.ts';

const GAMES = 125;

it('given forecasts, a receipt and closing prices of a game, when their days are over, then they are sealed', async () => {
  const games = gamesOf('nba', 'nba', GAMES, numbersOf(7));
  const next = games.at(-1)!;
  const server = await serveAgent({ time: next.startsAt - HOUR, publishes: true });
  onTestFinished(() => server.close());
  await server.feed(...messagesOf('nba', games.slice(0, -1)), scheduleOf('nba', next, GAMES - 1));
  await server.feed(pricesOf('nba', next, GAMES - 1));
  const event = await server.eventId('feed', refOf(GAMES - 1));
  await server.published();
  const slip = { legs: [{ event_id: event, market_key: 'ml', side: 'home' }] };
  const { receipt } = (await server.ask('/v1/grade/slip', { method: 'POST', body: slip, headers: JSON_BODY })).body;

  server.clock.time = next.startsAt + 2 * 60_000;
  await server.seals.check();
  // A price that was seen before the start and comes after it is a new fact.
  const late = { ref: refOf(GAMES - 1), at: iso(next.startsAt - 60_000) };
  await server.feed(pricesOf('nba', next, GAMES + 3, late));
  server.clock.time = next.startsAt + 25 * HOUR;
  await server.seals.check();
  server.clock.time += DAY;
  await server.seals.check();
  await server.seals.check();

  const seals = [];
  for await (const seal of createSealReader(server.log).all()) seals.push(seal);
  const files = await Promise.all(
    seals.map(async ({ date }) => (await (await fetch(`${server.url}/record/seals/${date}.json`)).json()) as SealFile),
  );
  const contents = files.flatMap(({ leaves }) => leaves.flatMap(({ content }) => content ?? [])) as any[];
  const published = contents.filter(({ kind, event_id }) => kind === 'forecast' && event_id === event);
  expect(published.length).toBeGreaterThan(0);
  const closings = contents.filter(({ kind, event_id }) => kind === 'closing' && event_id === event);
  expect(closings).toHaveLength(2);
  expect(closings[0].consensus).not.toEqual(closings[1].consensus);
  const { body: summary } = await server.ask(`/v1/events/${event}/odds/summary`);
  for (const { key, outcomes } of summary.consensus) {
    const { probabilities } = closings[1].consensus.find(({ market }: any) => market === key);
    expect(outcomes.map(({ close }: any) => close).sort()).toEqual(Object.values(probabilities).sort());
  }
  // Each selection follows from a published bet, and no bet is selected twice.
  const selections = contents.filter(({ kind }) => kind === 'selection');
  const names = selections.map(({ event_id, bet_type }) => `${event_id} ${bet_type}`);
  expect(new Set(names).size).toBe(names.length);
  const isFar = ({ probability, fair }: any) =>
    probability !== null && fair !== null && Math.round((probability - fair.probability) * 1e6) >= 30_000;
  const far = published.flatMap(({ bets }) => bets.filter(isFar).map(({ bet_type }: any) => bet_type));
  const selected = selections.filter(({ event_id }) => event_id === event).map(({ bet_type }) => bet_type);
  expect(selected.sort()).toEqual([...new Set(far)].sort());

  const { body: graded } = await server.ask(`/v1/grade/receipts/${receipt.id}`);
  const documents = [...files, graded].map((value, index) => ({ name: `document ${index}`, value }));
  expect(checkSeals(documents).faults).toEqual([]);
  const changed = { ...graded, graded_at: '2020-01-01T00:00:00Z' };
  expect(checkSeals([...documents, { name: 'changed', value: changed }]).faults).toHaveLength(1);
  expect((await verifySealsOfLog(server.log, createSealReader(server.log).all())).differences).toEqual([]);
});

const JSON_BODY = { 'content-type': 'application/json' };
