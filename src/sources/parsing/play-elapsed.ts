import { gameRulesOf, type PlayedIn } from '../../domain/catalogue/game-rules.ts';
import { MINUTE, SECOND } from '../../domain/primitives/time.ts';

/** Progress of a game, as its source states it. */
interface PlayState extends PlayedIn {
  readonly playoffs: boolean;
  readonly over: boolean;
  /** From 1; the inning in baseball. */
  readonly period?: number | undefined;
  /** The name of the period, if the number is not enough: `Bot 5`, `HT`. */
  readonly name?: string | undefined;
  /** The clock as the source shows it: time left in US sports (`4:15`, `38.2`), minutes played in soccer (`90'+8'`). */
  readonly clock?: string | undefined;
  /** Tennis: games played. */
  readonly games?: number | undefined;
}

/** Overtimes of college football have no clock; ten minutes keep their order. */
const UNTIMED_OVERTIME = 10;
/** No game has more periods or minutes of play; larger numbers are other values in the wrong place. */
const LAST_PERIOD = 40;
const LONGEST = 24 * 60;
const MINUTES_OF_INNING = 20;
const INNING_PARTS: Readonly<Record<string, number>> = { Top: 5, Mid: 10, Bot: 15, End: 20 };
const MINUTES_OF_GAME = 4;
/** Minutes of breaks before each period of soccer, so that stoppage time never passes the start of the next period. */
const SOCCER_BREAKS: Readonly<Record<string, number>> = { '1H': 0, '2H': 15, ET1: 20, ET2: 25, PKs: 30 };

/**
 * Time of play since the start, in milliseconds. It gives messages of a live or finished game a time if the file does
 * not say when it was read. It grows with the game and is the same for each reading of one state. It is not the time of
 * day, which would need breaks and delays. In sports without a clock, an inning counts 20 minutes and a game of tennis
 * 4.
 */
export function playElapsed(given: PlayState): number {
  const play = { ...given, period: given.period === undefined ? undefined : Math.min(given.period, LAST_PERIOD) };
  const minutes = minutesOf(play);
  return Math.round((Math.min(Math.max(0, minutes), LONGEST) * MINUTE) / SECOND) * SECOND;
}

function minutesOf(play: PlayState): number {
  const { unit, clock } = gameRulesOf(play);
  if (unit === 'set') return (play.games ?? 0) * MINUTES_OF_GAME;
  if (unit === 'inning') return baseball(play);
  return clock === 'up' ? soccer(play) : clocked(play);
}

function clocked(play: PlayState): number {
  const { playoffs, period, clock, over } = play;
  const { periods, periodMinutes, overtimeMinutes, playoffOvertimeMinutes } = gameRulesOf(play);
  if (periodMinutes === null) return 0;
  const overtime = (playoffs ? playoffOvertimeMinutes : null) ?? overtimeMinutes ?? UNTIMED_OVERTIME;
  const number = Math.max(period ?? (over ? periods.length : 1), 1);
  const lengthOf = (n: number): number => (n <= periods.length ? periodMinutes : overtime);
  let minutes = 0;
  for (let n = 1; n < number; n++) minutes += lengthOf(n);
  const length = lengthOf(number);
  const left = over ? 0 : (minutesLeft(clock) ?? length);
  return minutes + length - Math.min(left, length);
}

function minutesLeft(clock: string | undefined): number | undefined {
  const parts = /^(?:(\d+):)?(\d+(?:\.\d+)?)$/.exec(clock ?? '');
  return parts ? Number(parts[1] ?? 0) + Number(parts[2]) / 60 : undefined;
}

function baseball(play: PlayState): number {
  const { period, name, over } = play;
  const inning = Math.max(period ?? (over ? gameRulesOf(play).periods.length : 1), 1);
  const part = over ? 'End' : (name ?? '').slice(0, 3);
  return (inning - 1) * MINUTES_OF_INNING + (INNING_PARTS[part] ?? 0);
}

function soccer({ name, clock, over }: PlayState): number {
  if (name === 'HT') return 60;
  const breaks = SOCCER_BREAKS[name ?? '1H'] ?? 0;
  const parts = /^(\d+)'?(?:\s*\+\s*(\d+)'?)?/.exec(clock ?? '');
  const played = parts ? Number(parts[1]) + Number(parts[2] ?? 0) : over ? 90 : 0;
  // The shootout has no clock of its own: its source keeps showing 120'.
  if (name === 'PKs') return 120 + breaks + (over ? 10 : 0);
  return name === '1H' ? Math.min(played, 59) : played + breaks;
}
