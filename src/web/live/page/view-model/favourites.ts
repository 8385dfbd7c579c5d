import type { BoardEvent } from '../../answers/live-page-answers.ts';

/** What somebody has starred. Teams and players by sport and name, since names are what a board knows of them. */
export interface Favourites {
  readonly events: readonly string[];
  readonly sides: readonly string[];
  readonly leagues: readonly string[];
}

export const NO_FAVOURITES: Favourites = { events: [], sides: [], leagues: [] };

type Kind = keyof Favourites;

/** One thing that can be starred. */
export interface Star {
  readonly kind: Kind;
  readonly key: string;
  readonly name: string;
}

/** What can be starred at an event: itself, its sides, and its league. */
export function starsOf({ id, sport, league, sides }: BoardEvent, leagueName: string): Star[] {
  return [
    { kind: 'events', key: String(id), name: 'This event' },
    ...sides.map(({ name }): Star => ({ kind: 'sides', key: `${sport}/${name}`, name })),
    { kind: 'leagues', key: league, name: leagueName },
  ];
}

export const hasStar = (favourites: Favourites, { kind, key }: Pick<Star, 'kind' | 'key'>): boolean =>
  favourites[kind].includes(key);

export const isFavourite = (favourites: Favourites, event: BoardEvent): boolean =>
  starsOf(event, '').some((star) => hasStar(favourites, star));

/** A browser keeps so many of each kind; the oldest go first. */
const MAX_KEPT = 300;

/** Adds a star, or takes it away. */
export function toggleStar(favourites: Favourites, { kind, key }: Pick<Star, 'kind' | 'key'>): Favourites {
  const others = favourites[kind].filter((other) => other !== key);
  const isNew = others.length === favourites[kind].length;
  return { ...favourites, [kind]: isNew ? [...others, key].slice(-MAX_KEPT) : others };
}

/** Reads what a browser has kept, whatever it is. */
export function readFavourites(text: string | null): Favourites {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? '');
  } catch {
    return NO_FAVOURITES;
  }
  const listOf = (kind: Kind): string[] => {
    const list: unknown = (kept as Partial<Record<Kind, unknown>> | null)?.[kind];
    return Array.isArray(list) ? list.filter((key): key is string => typeof key === 'string').slice(-MAX_KEPT) : [];
  };
  return { events: listOf('events'), sides: listOf('sides'), leagues: listOf('leagues') };
}
