import { z } from 'zod';
import {
  type SideStatistics,
  type Statistics,
  sideStatistics,
  statistics,
} from '../../../read-models/rendering/statistics/statistics-schema.ts';
import { answerTable } from '../../calls/operation/table.ts';

const { event_id, league_slug, neutral_site, profile, player_box } = statistics.shape;
const role = z.enum(['home', 'away', 'player_1', 'player_2']);

/** One row a side, with the box scores of its own players. */
export const statisticsTable = answerTable(
  z.object({
    event_id,
    league_slug,
    neutral_site,
    profile,
    role,
    ...sideStatistics.shape,
    player_box: player_box.unwrap().shape.home.optional(),
  }),
  ({ teams, players, player_box: box, ...event }: Statistics) => {
    const sides = Object.entries({ ...teams, ...players }) as [z.infer<typeof role>, SideStatistics][];
    return sides.map(([of, side]) => ({
      ...event,
      role: of,
      ...side,
      player_box: of === 'home' || of === 'away' ? box?.[of] : undefined,
    }));
  },
);
