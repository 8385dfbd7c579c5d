import { TOWNS } from './cast/towns.ts';
import type { Fixture } from './fixture.ts';

/** What a schedule says of the tournament that a game belongs to; nothing for a league's usual games. */
export function tournamentOf({ league, number }: Fixture): Record<string, unknown> {
  const host = TOWNS[(number + 3) % TOWNS.length]!;
  switch (league.slug) {
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
