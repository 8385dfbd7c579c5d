import { rolesOf } from '../../domain/catalogue/sport-rules.ts';
import type { FeedOutcome, Role } from '../../domain/feed/feed-messages.ts';
import { statedDecimal } from '../../domain/odds/american-odds.ts';

/** 0 for home or player_1, 1 for the other side; the opposite if the message has the sides swapped. */
export const sideIndex = (role: Role, swapped: boolean): 0 | 1 =>
  (role === 'home' || role === 'player_1') !== swapped ? 0 : 1;

const TEAMS = ['home', 'away'] as const;

/**
 * An outcome with the roles of the sport and the side order of the event. A point stays with its side. A decimal price
 * that adds nothing is dropped.
 */
export function alignOutcome(reported: FeedOutcome, sport: string, swapped: boolean): FeedOutcome {
  const outcome = reported.decimal === undefined ? reported : withDecimal(reported);
  const { outcome: name, team } = outcome;
  const ownName =
    name === 'draw' || name === 'over' || name === 'under' ? name : rolesOf(sport)[sideIndex(name, swapped)];
  const ownTeam = team && TEAMS[sideIndex(team, swapped)];
  // Most outcomes need no change.
  if (ownName === name && ownTeam === team) return outcome;
  return { ...outcome, outcome: ownName, ...(ownTeam === undefined ? {} : { team: ownTeam }) };
}

function withDecimal({ decimal, ...outcome }: FeedOutcome): FeedOutcome {
  const stated = statedDecimal(outcome.price, decimal);
  return stated === undefined ? outcome : { ...outcome, decimal: stated };
}

/** A map, since a side may have a name that every object has (`constructor`). */
const OPPOSITE_ROLE: ReadonlyMap<string, string> = new Map([
  ['home', 'away'],
  ['away', 'home'],
  ['player_1', 'player_2'],
  ['player_2', 'player_1'],
]);

/** Swaps `home` and `away` (or the players); other members stay. */
export function swapSides<Sides extends object>(sides: Sides): Sides {
  return Object.fromEntries(
    Object.entries(sides).map(([side, value]) => [OPPOSITE_ROLE.get(side) ?? side, value]),
  ) as Sides;
}

const ROLES: ReadonlySet<string> = new Set<Role>(['home', 'away', 'player_1', 'player_2']);

/**
 * Members by side, with the roles of the sport and the side order of the event; other members stay. If a side is given
 * under both of its names, the name that the sport uses wins.
 */
export function alignSides<Sides extends object>(sides: Sides, sport: string, swapped: boolean): Sides {
  const own = rolesOf(sport);
  const entries = Object.entries(sides);
  // The names that the sport uses come last, so that they overwrite the others.
  const ordered = [
    ...entries.filter(([side]) => !own.some((role) => role === side)),
    ...entries.filter(([side]) => own.some((role) => role === side)),
  ];
  return Object.fromEntries(
    ordered.map(([side, value]) => [ROLES.has(side) ? own[sideIndex(side as Role, swapped)] : side, value]),
  ) as Sides;
}
