import type { FeedOutcome, Role } from '../domain/feed/messages.ts';
import { rolesOf } from '../domain/sides.ts';

/** 0 for home or player_1, 1 for the other; the other way round when the message has the sides turned. */
export const sideIndex = (role: Role, turned: boolean): 0 | 1 =>
  (role === 'home' || role === 'player_1') !== turned ? 0 : 1;

const TEAMS = ['home', 'away'] as const;

/** An outcome in the roles of the event's sport, and of its way round. A point goes with its side. */
export function fitOutcome(outcome: FeedOutcome, sport: string, turned: boolean): FeedOutcome {
  const { outcome: name, team } = outcome;
  const ownName =
    name === 'draw' || name === 'over' || name === 'under' ? name : rolesOf(sport)[sideIndex(name, turned)];
  const ownTeam = team && TEAMS[sideIndex(team, turned)];
  // Most fit as they are.
  if (ownName === name && ownTeam === team) return outcome;
  return { ...outcome, outcome: ownName, ...(ownTeam === undefined ? {} : { team: ownTeam }) };
}

/** A map, for sides may have names that every object has (`constructor`). */
const OTHER: ReadonlyMap<string, string> = new Map([
  ['home', 'away'],
  ['away', 'home'],
  ['player_1', 'player_2'],
  ['player_2', 'player_1'],
]);

/** `home` and `away` (or the players) changed for each other; other members stay. */
export function turnSides<Sides extends object>(sides: Sides): Sides {
  return Object.fromEntries(Object.entries(sides).map(([side, value]) => [OTHER.get(side) ?? side, value])) as Sides;
}
