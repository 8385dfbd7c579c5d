import { TOWNS } from './cast/towns.ts';
import type { Fixture } from './fixture.ts';

const tournament = (town: string, timezone: string, surface: string, tier: string) => ({
  competition: { name: `Simulated Open of ${town}`, surface, tier },
  venue: { name: `Simulated Tennis Park of ${town}`, city: town, surface, timezone },
});
const TENNIS = {
  atp: tournament('Kestrel Bay', 'America/Los_Angeles', 'hard', 'atp_500'),
  wta: tournament('Montedoro', 'Europe/Rome', 'clay', 'wta_500'),
};

/** What a schedule says of the tournament that a game belongs to; nothing for a league's usual games. */
export function tournamentOf({ league, number }: Fixture): Record<string, unknown> {
  const host = TOWNS[(number + 3) % TOWNS.length]!;
  switch (league.slug) {
    case 'atp':
    case 'wta': {
      const court = number % 2 === 0 ? 'Simulated Centre Court' : 'Simulated Court 1';
      return {
        round: 'Round of 16',
        draw_type: 'singles',
        court,
        order_of_play: 1 + Math.floor(number / 2),
        starts_at_qualifier: 'not_before',
        ...TENNIS[league.slug],
      };
    }
    case 'ucl':
      return { round: 'Simulated Quarter-final', competition: { name: 'Simulated Champions Cup' } };
    case 'fifa_world_cup':
      return {
        round: 'Simulated Semi-final',
        competition: { name: 'Simulated World Cup' },
        venue: { name: `Simulated Stadium of ${host.name}`, city: host.name, timezone: host.timezone },
      };
    default:
      return {};
  }
}
