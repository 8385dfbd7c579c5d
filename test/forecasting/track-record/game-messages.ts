import { INTAKE_BATCH_SIZE } from '../../../src/ingest/intake/intake.ts';
import type { GameKnownAt } from '../../../src/intelligence/walk-forward.ts';
import { type Message, market, odds, schedule, score } from '../../api/spec/messages.ts';
import { newIntakeWorld } from '../../ingest/intake-world.ts';
import { attemptsOf } from '../../intelligence/seasons.ts';

export const iso = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');
export const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export const refOf = (index: number): string => `g${index}`;

/**
 * The messages of games by one source: the schedule a week before, the starters two hours before, prices half an hour
 * apart before the start, other prices during the game, and the end when it was known.
 */
export function messagesOf(sport: string, games: readonly GameKnownAt[]): Message[] {
  return games.flatMap((game, i) => [
    scheduleOf(sport, game, i),
    ...startersOf(game, i),
    pricesOf(sport, game, i),
    pricesOf(sport, game, i + 1, { ref: refOf(i), at: iso(game.startsAt - HOUR / 2) }),
    pricesOf(sport, game, i + 5, { ref: refOf(i), at: iso(game.startsAt) }),
    ...endOf(sport, game, i),
  ]);
}

export function scheduleOf(sport: string, game: GameKnownAt, index: number): Message {
  const { league, home, away, startsAt, isNeutral } = game;
  return schedule({ sport, league }, refOf(index), [home, away], iso(startsAt), {
    at: iso(startsAt - 7 * DAY),
    neutral_site: isNeutral,
  });
}

function startersOf({ starters, startsAt }: GameKnownAt, index: number): Message[] {
  const named = Object.entries(starters).flatMap(([side, name]) => (name === null ? [] : [[side, { name }]]));
  if (named.length === 0) return [];
  const told = { source: 'feed', ref: refOf(index), at: iso(startsAt - 2 * HOUR), teams: {} };
  return [{ kind: 'lineup', ...told, probable_starters: Object.fromEntries(named) }];
}

/** Prices unrelated to the result, around a line that changes from game to game. */
export function pricesOf(sport: string, game: GameKnownAt, index: number, more = {}): Message {
  const price = -200 + 7 * (index % 14);
  const moneyline = [
    ['home', sport === 'soccer' ? 150 + (index % 40) : price],
    ['away', sport === 'soccer' ? 175 : 120],
    ...(sport === 'soccer' ? ([['draw', 240]] as const) : []),
  ] as const;
  const line = ((index % 9) - 4) / (sport === 'soccer' ? 4 : 2);
  const total = (sport === 'soccer' ? 2.5 : 45) + (index % 3) / 2;
  const markets = [
    market('h2h', [...moneyline]),
    market('spreads', [
      ['home', -110, line],
      ['away', -105, 0 - line],
    ]),
    market('totals', [
      ['over', -108, total],
      ['under', -112, total],
    ]),
  ];
  return odds(refOf(index), 'pinnacle', markets, { at: iso(game.startsAt - HOUR), ...more });
}

/** @param at the time of the observation, in milliseconds */
export function endOf(
  sport: string,
  { score: { home, away }, detail, scope, knownAt }: GameKnownAt,
  index: number,
  at = knownAt,
) {
  const told = { at: iso(at) };
  const ofBox = (chances: number) => {
    const { shotsOnTarget, shots, corners } = attemptsOf(chances);
    return { shots_on_target: shotsOnTarget, shots, corners };
  };
  const teams = detail && { home: ofBox(detail.home), away: ofBox(detail.away) };
  const box: Message = {
    kind: 'box',
    source: 'feed',
    ...told,
    ref: refOf(index),
    final: true,
    ...(teams && { teams }),
  };
  const sideOf = (points: number, part: number | undefined) => ({
    score: String(points),
    ...(part === undefined ? {} : { period_scores: periodsOf(sport, part) }),
  });
  const sides = [sideOf(home, scope?.home), sideOf(away, scope?.away)] as const;
  const end = score(refOf(index), 'final', sides, { ...told, result_type: 'regulation' });
  return sport === 'soccer' && detail ? [end, box] : [end];
}

/** All runs of the first five innings are in the second. */
const periodsOf = (sport: string, points: number) =>
  sport === 'mlb'
    ? ['1', '2', '3', '4', '5'].map((period) => ({ period, score: period === '2' ? points : 0 }))
    : [{ period: '1H', score: points }];

/** A log that has ingested these messages, in this order. */
export async function logOf(messages: readonly Message[]) {
  const world = await newIntakeWorld();
  const intake = await world.open();
  for (let from = 0; from < messages.length; from += INTAKE_BATCH_SIZE) {
    const batch = messages.slice(from, from + INTAKE_BATCH_SIZE);
    const { outcomes } = await intake.accept(batch.map((value, i) => ({ line: i + 1, value })));
    const refused = outcomes.find(({ status }) => status === 'rejected');
    if (refused) throw new Error(JSON.stringify(refused));
  }
  if ((await world.waiting()) > 0) throw new Error('messages wait for something that is not told');
  return world;
}
