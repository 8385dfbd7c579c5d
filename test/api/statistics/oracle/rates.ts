import { average, exactly, mean, ratio, share, sum } from './exact.ts';
import { boxStat, type Game, otherSide, type Side, sideOf } from './game.ts';

/** A field of the rates: what one game states of it, seen from a side. */
export interface RateField {
  readonly name: string;
  of(game: Game, side: Side): number | undefined;
}

export const ownStat = (name: string, stat = name): RateField => ({
  name,
  of: (game, side) => boxStat(game, side, stat),
});
export const againstStat = (name: string, stat: string): RateField => ({
  name,
  of: (game, side) => boxStat(game, otherSide(side), stat),
});
/** From the score, which every counted game has. */
export const scoreFor = (name: string): RateField => ({ name, of: (game, side) => Number(game.scores[side]) });
export const scoreAgainst = (name: string): RateField => ({
  name,
  of: (game, side) => Number(game.scores[otherSide(side)]),
});

/** "a field is the mean over those whose box states it, its sample in `field_games`" */
function fieldOf(games: readonly Game[], id: number, { of }: RateField) {
  const stated = games.map((game) => of(game, sideOf(game, id)!)).filter((value) => value !== undefined);
  return { value: average(mean(stated.map(exactly))), sample: stated.length };
}

/**
 * "`save_rate` = sum of saves / sum of the other side's shots_on_target over games that state both". Without a shot
 * nothing was counted: null.
 */
function saveRateOf(games: readonly Game[], id: number) {
  const both = games
    .map((game) => {
      const side = sideOf(game, id)!;
      return [boxStat(game, side, 'saves'), boxStat(game, otherSide(side), 'shots_on_target')] as const;
    })
    .filter((pair): pair is [number, number] => pair.every((value) => value !== undefined));
  const saves = sum(both.map(([saved]) => exactly(saved)));
  const shots = sum(both.map(([, faced]) => exactly(faced)));
  return { value: share(ratio(saves, shots)), sample: both.length };
}

/**
 * "rates | `{source: "event_stats_avg", window, window_size (l5 only), games, FIELDS, field_games}`. `games` are the
 * window's games; the box belongs to its side"
 */
export function rates(window: 'l5' | 'season', own: readonly Game[], id: number, fields: readonly RateField[]) {
  const games = window === 'l5' ? own.slice(0, 5) : own;
  const means = new Map(fields.map((field) => [field.name, fieldOf(games, id, field)]));
  if (fields.some(({ name }) => name === 'saves')) means.set('save_rate', saveRateOf(games, id));
  return {
    source: 'event_stats_avg',
    window,
    ...(window === 'l5' ? { window_size: 5 } : {}),
    games: games.length,
    ...Object.fromEntries([...means].map(([name, { value }]) => [name, value])),
    field_games: Object.fromEntries([...means].map(([name, { sample }]) => [name, sample])),
  };
}
