import type { PlayerFacts } from './directory.ts';
import { normalizeName } from './names.ts';

/** A source's own id of a player: it is its own within the source and the sport. */
export const playerRef = (sport: string, source: string, ref: string): string => `${sport}:${source}:${ref}`;

/** A name of a player of a sport, in the form in which names are compared. */
export const playerName = (sport: string, normalized: string): string => `${sport}:${normalized}`;

/** The names of a player, in the form in which names are compared. */
export const namesOfPlayer = ({ full_name, aliases = [] }: PlayerFacts): string[] =>
  [full_name, ...aliases].map(normalizeName);
