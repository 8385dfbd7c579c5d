import { gameRulesOf, type PlayedIn } from '../../domain/catalogue/game-rules.ts';

/** Beyond the halves, in sports whose extra time does not count as the game. */
const EXTRA_TIME = ['ET1', 'ET2', 'PKs'];
/** Periods of overtime before a shootout. */
const BEFORE_SHOOTOUT = 1;

/** Number of regulation periods of a game; undefined for tennis, whose matches have no fixed length. */
export const regulationPeriods = (game: PlayedIn): number | undefined => gameRulesOf(game).periods.length || undefined;

/**
 * The name of a period that a source numbers from 1: quarters and innings by number, halves `1H` and `2H`, then `OT`,
 * `OT2`. The fifth period of an NHL game is the shootout, except in the playoffs, which have none. Undefined where the
 * league plays no such period.
 */
export function periodName(game: PlayedIn, number: number, playoffs: boolean): string | undefined {
  if (!Number.isInteger(number) || number < 1) return undefined;
  const { unit, periods, overtime, shootout, overtimeCounts } = gameRulesOf(game);
  if (number <= periods.length) return periods[number - 1];
  const beyond = number - periods.length;
  if (periods.length === 0) return undefined;
  if (!overtimeCounts) return extraTimeName(beyond, overtime !== 'none', shootout);
  const hasOvertime = overtime !== 'none';
  if (shootout && (!playoffs || !hasOvertime) && beyond === (hasOvertime ? BEFORE_SHOOTOUT : 0) + 1) return 'SO';
  if (!hasOvertime) return undefined;
  if (unit === 'inning') return String(number);
  return beyond === 1 ? 'OT' : `OT${beyond}`;
}

function extraTimeName(beyond: number, hasExtraTime: boolean, hasPenalties: boolean): string | undefined {
  const name = EXTRA_TIME[beyond - 1 + (hasExtraTime ? 0 : EXTRA_TIME.length - 1)];
  return name === 'PKs' && !hasPenalties ? undefined : name;
}
