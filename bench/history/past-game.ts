import type { HomeAway } from '../../src/intelligence/models/model.ts';
import type { GameKnownAt } from '../../src/intelligence/walk-forward.ts';

/** A game with the market's last word on it. Models never see `close`. */
export interface PricedGame extends GameKnownAt {
  readonly season: number;
  /** Probabilities of home and away, or home, draw and away, without the vig; null where the file has no price. */
  readonly close: readonly number[] | null;
  /** The closing lines of spread and total; absent where none is known. */
  readonly lines?: ClosingLines;
  /** The score of each period, overtime aside; absent where none is known. */
  readonly periods?: HomeAway<readonly number[]>;
  /** A bookmaker's lines of the part that has lines of its own: home's point and the total; absent where none is known. */
  readonly scopeLines?: { readonly spread: number; readonly total: number };
}

/** Home's point and the total, each with the probabilities of home and away, or of over and under, without the vig. */
export interface ClosingLines {
  readonly spreads: ClosingLine | null;
  readonly totals: ClosingLine | null;
}

interface ClosingLine {
  readonly line: number;
  readonly close: readonly number[];
}

/** Null without a line, or without prices of both outcomes. */
export const lineOf = (line: number | null, close: readonly number[] | null): ClosingLine | null =>
  line === null || close === null ? null : { line, close };

const HOUR = 3_600_000;

/** What files without a clock leave open: games start at noon of their day, and are known six hours later. */
export const onDay = (year: number, month: number, day: number): { startsAt: number; knownAt: number } => {
  const startsAt = Date.UTC(year, month - 1, day, 12);
  return { startsAt, knownAt: startsAt + 6 * HOUR };
};

export const PLAIN = {
  isNeutral: false,
  surface: null,
  bestOf: null,
  ranks: { home: null, away: null },
  starters: { home: null, away: null },
  detail: null,
  scope: null,
} as const;

export const pairOf = (home: number | null, away: number | null): GameKnownAt['scope'] =>
  home === null || away === null ? null : { home, away };

/** Absent unless every period of both sides is known. */
export function periodsOf(
  home: readonly (number | null)[],
  away: readonly (number | null)[],
): Pick<PricedGame, 'periods'> {
  const isKnown = (values: readonly (number | null)[]): values is number[] => values.every(Number.isFinite);
  return isKnown(home) && isKnown(away) ? { periods: { home, away } } : {};
}

export const winnerOf = (home: number, away: number): 'home' | 'away' | null =>
  home === away ? null : home > away ? 'home' : 'away';
