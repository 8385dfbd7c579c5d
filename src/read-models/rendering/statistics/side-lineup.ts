import { type Lineup, type LineupSide, lineupOf, type ToldLineup } from '../../../domain/lineup.ts';
import type { Side } from '../../../domain/statistics/game.ts';
import type { LineupStatistics } from './statistics-schema.ts';

/** Who plays for a side, in the source's order; before anybody tells, nobody. */
export function renderLineup(told: ToldLineup | undefined, side: Side): LineupStatistics {
  const lineup: Lineup | undefined = told && lineupOf(told, side);
  if (!lineup) return { available: false, formation: null, starters: [], bench: [] };
  const { formation = null, players } = lineup.team;
  return {
    available: true,
    formation,
    starters: players.filter(({ starter }) => starter).map(renderPlayer),
    bench: players.filter(({ starter }) => !starter).map(renderPlayer),
  };
}

const renderPlayer = ({ name, position, jersey, formation_place, ref }: LineupSide['players'][number]) => ({
  name,
  position: position ?? null,
  jersey: jersey === undefined ? null : String(jersey),
  formation_place: formation_place ?? null,
  athlete_id: ref ?? null,
});
