/** What a player made of one statistic in one game. */
export interface PastGame {
  readonly value: number;
  /** Minutes that he played; null where his box does not tell. */
  readonly minutes: number | null;
}

/** What his past games amount to, the newest counting most. */
export interface PlayerForm {
  /** Of the values. */
  readonly sum: number;
  /** Of the games, or of the minutes where these are what he makes his values in. */
  readonly weight: number;
  /** Minutes that he may expect; null where games are counted. */
  readonly minutes: number | null;
  /** Of the games, and of those among them in which he made nothing. */
  readonly games: number;
  readonly zeros: number;
}

/** What stays of a game's weight with each one that follows. */
const DECAY = 0.985;
/** The part of the newest game in the minutes that are expected. */
const NEWEST = 0.18;

/** @param past oldest first; one at least */
export function playerForm(past: readonly PastGame[], inMinutes: boolean): PlayerForm {
  let [sum, weight, games, zeros] = [0, 0, 0, 0];
  let expected: number | null = null;
  const isTimed =
    inMinutes && past.every(({ minutes }) => minutes !== null) && past.some(({ minutes }) => minutes! > 0);
  for (const { value, minutes } of past) {
    sum = DECAY * sum + value;
    weight = DECAY * weight + (isTimed ? minutes! : 1);
    games = DECAY * games + 1;
    zeros = DECAY * zeros + (value <= 0 ? 1 : 0);
    if (isTimed) expected = expected === null ? minutes! : expected + NEWEST * (minutes! - expected);
  }
  return { sum, weight, minutes: expected, games, zeros };
}
