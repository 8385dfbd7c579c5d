import { carried, type Estimate } from './estimate.ts';
import type { Fixture } from './model.ts';
import type { RatingConstants, TeamConstants } from './team-constants.ts';
import type { Team, TeamLeague } from './team-memory.ts';

const DAY = 86_400_000;
/** A break between seasons. The longest within one, for games of stars, is ten days. */
const BREAK = 60 * DAY;
const LONG_MEAN_GAIN = 0.4;
/** After as many games the sides of a league are known. */
const KNOWN = 800;

/** A team's ratings as they stand at a moment (milliseconds): after a break, or some days without a game. */
export function onTheDay(constants: TeamConstants, league: TeamLeague, team: Team, startsAt: number): Team {
  if (team.last === null) return league.games < KNOWN ? team : newcomer(constants, team);
  const away = Math.max(0, startsAt - team.last);
  if (away >= BREAK) {
    const { margin, total } = constants;
    const longMean = team.longMean + LONG_MEAN_GAIN * (team.margin.mean - team.longMean);
    const centre = margin.longMean * longMean + margin.company * team.company;
    return {
      ...team,
      longMean,
      margin: carried(team.margin, margin.carry, centre, margin.newcomers ** 2),
      total: carried(team.total, total.carry, 0, total.newcomers ** 2),
    };
  }
  const drifted = ({ mean, variance }: Estimate, { drift, newcomers }: RatingConstants): Estimate => ({
    mean,
    variance: Math.min(newcomers * newcomers, variance + (drift * away) / DAY),
  });
  return {
    ...team,
    margin: drifted(team.margin, constants.margin),
    total: drifted(team.total, constants.total),
  };
}

function newcomer({ margin: { newcomer: mean } }: TeamConstants, team: Team): Team {
  return { ...team, longMean: mean, margin: { mean, variance: team.margin.variance } };
}

/** Points that a side gains or loses by the days since its last game. */
export function restOf({ tired, rested }: TeamConstants, { last }: Team, { startsAt }: Fixture): number {
  if (last === null || startsAt - last >= BREAK) return 0;
  if (startsAt - last < 1.5 * DAY) return -tired;
  return startsAt - last >= 10 * DAY ? rested : 0;
}
