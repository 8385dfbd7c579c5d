import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/primitives/canonical-json.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';

export interface BookmakerChoice {
  readonly includes: (bookmaker: string) => boolean;
  /** The requested slugs; null for all bookmakers. */
  readonly slugs: readonly string[] | null;
  /** One credit for a single bookmaker, two for all or several. */
  readonly cost: 1 | 2;
}

/** A list that names one bookmaker several times counts as a single bookmaker. */
export function parseBookmakers(parameter: string): BookmakerChoice {
  const slugs = [...new Set(parameter.split(',').map((slug) => slug.trim().toLowerCase()))].filter(
    (slug) => slug !== '',
  );
  if (slugs.includes('all')) return { includes: () => true, slugs: null, cost: 2 };
  return { includes: (bookmaker) => slugs.includes(bookmaker), slugs, cost: slugs.length > 1 ? 2 : 1 };
}

/** Names and order of bookmakers. */
export interface Bookmakers {
  readonly nameOf: (slug: string) => string;
  /** Bookmakers with a name come first, in the order of the names; all others follow by slug. */
  readonly compare: (a: string, b: string) => number;
  /** Weight of a bookmaker's prices in the fair price; 0 for a bookmaker that is only compared with it. */
  readonly sharpWeight: (slug: string) => number;
  /** Differs whenever the weights differ. */
  readonly weightsVersion: string;
}

/** @param names display names by slug @param weights of reference books, by slug */
export function createBookmakers(
  names: Readonly<Record<string, string>>,
  weights: Readonly<Record<string, number>>,
): Bookmakers {
  const order = new Map(Object.keys(names).map((slug, place) => [slug, place]));
  const placeOf = (slug: string): number => order.get(slug) ?? order.size;
  return {
    nameOf: (slug) => ownValue(names, slug) ?? slug,
    compare: (a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : a > b ? 1 : 0),
    sharpWeight: (slug) => ownValue(weights, slug) ?? 0,
    weightsVersion: createHash('sha256').update(canonicalJson(weights)).digest('base64url').slice(0, 12),
  };
}
