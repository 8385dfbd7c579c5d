import { DAY } from '../../domain/primitives/time.ts';
import type { Fixture } from './model.ts';
import { carryOverSeason, type Estimate } from './online-estimates.ts';
import type { RatingConstants, TeamConstants } from './team-constants.ts';
import type { TeamLeagueMemory, TeamMemory } from './team-memory.ts';

/** A break between seasons. The longest break within a season, for all-star games, is ten days. */
const BREAK = 60 * DAY;
const LONG_MEAN_GAIN = 0.4;
/** After this many games the sides of a league are known. */
const KNOWN = 800;

/** A team's ratings at a moment (milliseconds), after the days or the break since its last game. */
export function ratingsOnDate(
  constants: TeamConstants,
  league: TeamLeagueMemory,
  team: TeamMemory,
  startsAt: number,
): TeamMemory {
  if (team.last === null) return league.games < KNOWN ? team : newcomer(constants, team);
  const away = Math.max(0, startsAt - team.last);
  if (away >= BREAK) {
    const { margin, total } = constants;
    const longMean = team.longMean + LONG_MEAN_GAIN * (team.margin.mean - team.longMean);
    const centre = margin.longMean * longMean + margin.opponentMean * team.opponentMean;
    return {
      ...team,
      longMean,
      margin: carryOverSeason(team.margin, margin.carry, centre, margin.newcomerSd ** 2),
      total: carryOverSeason(team.total, total.carry, 0, total.newcomerSd ** 2),
    };
  }
  const drifted = ({ mean, variance }: Estimate, { drift, newcomerSd }: RatingConstants): Estimate => ({
    mean,
    variance: Math.min(newcomerSd * newcomerSd, variance + (drift * away) / DAY),
  });
  return {
    ...team,
    margin: drifted(team.margin, constants.margin),
    total: drifted(team.total, constants.total),
  };
}

function newcomer({ margin: { newcomerMean: mean } }: TeamConstants, team: TeamMemory): TeamMemory {
  return { ...team, longMean: mean, margin: { mean, variance: team.margin.variance } };
}

/** The points that a side gains or loses by the days since its last game. */
export function restEffect(
  { tiredPenalty, restedBonus }: TeamConstants,
  { last }: TeamMemory,
  { startsAt }: Fixture,
): number {
  if (last === null || startsAt - last >= BREAK) return 0;
  if (startsAt - last < 1.5 * DAY) return -tiredPenalty;
  return startsAt - last >= 10 * DAY ? restedBonus : 0;
}
