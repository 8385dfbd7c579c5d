import { playsLike } from '../../domain/catalogue/added-leagues.ts';
import { type GameRules, gameRulesOf, type PlayedIn, shareOfUsualLength } from '../../domain/catalogue/game-rules.ts';

/** Standard deviations of the final margin of two equal sides, in points, goals and runs: usual values. */
const MARGIN_DEVIATION: Readonly<Record<string, number>> = {
  nfl: 13.5,
  ncaaf: 16,
  nba: 12,
  ncaab: 10.5,
  nhl: 2.4,
  mlb: 4.3,
  soccer: 1.7,
};

/** The share of regular time that overtime counts as being left: it may end soon, and is never over. */
const LEFT_IN_EXTRA_TIME = 0.05;
const EXTRA_TIME = /^(OT\d*|SO|ET1|ET2|PKs)$/;
const HALF_INNING = /^(Top|Mid|Bot|End) (\d{1,3})$/;
/** Half innings that are over when such a part of an inning begins, beside those of earlier innings. */
const HALVES_OVER: Readonly<Record<string, number>> = { Top: 0, Mid: 1, Bot: 1, End: 2 };

/**
 * The share of a game's regular time that is left, from 0 to 1; null if period and clock do not tell, as in tennis.
 * Baseball counts half innings.
 */
export function shareOfTimeLeft(game: PlayedIn, period: string | undefined, clock: string | undefined): number | null {
  if (period === undefined) return null;
  if (EXTRA_TIME.test(period)) return LEFT_IN_EXTRA_TIME;
  const rules = gameRulesOf(game);
  if (rules.unit === 'inning') return shareOfInningsLeft(rules, period);
  const { periods, periodMinutes: minutes } = rules;
  if (minutes === null) return null;
  if (period === 'HT') return 0.5;
  const place = periods.indexOf(period);
  const shown = minutesOf(clock);
  if (place < 0 || shown === null) return null;
  const whole = periods.length * minutes;
  const left = rules.clock === 'up' ? whole - shown : (periods.length - 1 - place) * minutes + shown;
  return Math.min(1, Math.max(0, left / whole));
}

/** The same; where the clock is not stated, as in the middle of the period. Null only if the period is not known. */
export function estimateTimeLeft(game: PlayedIn, period: string | undefined, clock: string | undefined): number | null {
  const exact = shareOfTimeLeft(game, period, clock);
  const { periods, periodMinutes } = gameRulesOf(game);
  const place = periods.indexOf(period ?? '');
  if (exact !== null || periodMinutes === null || place < 0) return exact;
  const played = (place + 0.5) / periods.length;
  return 1 - played;
}

function shareOfInningsLeft({ periods }: GameRules, period: string): number | null {
  const [, part, inning] = HALF_INNING.exec(period) ?? [];
  if (part === undefined) return null;
  const halves = 2 * periods.length;
  const over = 2 * (Number(inning) - 1) + HALVES_OVER[part]!;
  return Math.max(LEFT_IN_EXTRA_TIME, (halves - over) / halves);
}

/** `4:11`, `11.3` seconds in `:11.3` or `0:11.3`, `67'`, `90'+3'`. */
function minutesOf(clock: string | undefined): number | null {
  const counted = /^(\d{1,3})'?(?:\+\d{1,2}'?)?$/.exec(clock ?? '');
  if (counted) return Number(counted[1]);
  const [, minutes, seconds] = /^(\d{0,3}):(\d\d(?:\.\d+)?)$/.exec(clock ?? '') ?? [];
  return seconds === undefined ? null : Number(minutes) + Number(seconds) / 60;
}

/**
 * The chance that the leader wins: the margin moves as a Brownian motion, so with the share `t` of the game left it is
 * the normal distribution of `lead / (deviation * sqrt(t))`. Source: Hal Stern, A Brownian motion model for the progress
 * of sports scores, JASA 89 (1994). A shorter game has less time for it. Null where the sport has no such margin.
 * @param lead in points, goals or runs, of either side
 * @param timeLeft the share of the game's time that is left
 */
export function leaderChance(game: PlayedIn, lead: number, timeLeft: number): number | null {
  const deviation = MARGIN_DEVIATION[playsLike(game.sport)];
  if (deviation === undefined) return null;
  if (lead === 0) return 0.5;
  if (timeLeft <= 0) return 1;
  return normalDistribution(Math.abs(lead) / (deviation * Math.sqrt(timeLeft * shareOfUsualLength(game))));
}

/** The standard normal distribution at `z` >= 0, to five digits: Abramowitz and Stegun, 26.2.17. */
function normalDistribution(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const sum = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
