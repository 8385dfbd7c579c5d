import { createHash } from 'node:crypto';
import { type BookmakerType, DEFAULT_BOOKMAKER_TYPES } from '../../domain/catalogue/catalogue.ts';
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
  /** All that are known: by name, by weight, by type, and the venues that sent an order book; in the order of `compare`. */
  readonly list: (venues: readonly string[]) => readonly ListedBookmaker[];
}

/** As `list_bookmakers` shows it. */
export interface ListedBookmaker {
  readonly slug: string;
  readonly name: string;
  readonly type: BookmakerType;
  readonly reference_weight: number;
}

/** The slug of a bookmaker without a name, as people would write it: `william_hill` is William Hill. */
export const nameOfSlug = (slug: string): string =>
  slug.replaceAll('_', ' ').replaceAll(/(^| )[a-z]/g, (start) => start.toUpperCase());

/**
 * @param names display names by slug @param weights of reference books, by slug @param types by slug
 * @param nameUnnamed of a bookmaker without a display name
 */
export function createBookmakers(
  names: Readonly<Record<string, string>>,
  weights: Readonly<Record<string, number>>,
  types: Readonly<Record<string, BookmakerType>> = DEFAULT_BOOKMAKER_TYPES,
  nameUnnamed: (slug: string) => string = (slug) => slug,
): Bookmakers {
  const order = new Map(Object.keys(names).map((slug, place) => [slug, place]));
  const placeOf = (slug: string): number => order.get(slug) ?? order.size;
  const nameOf = (slug: string): string => ownValue(names, slug) ?? nameUnnamed(slug);
  const compare = (a: string, b: string): number => placeOf(a) - placeOf(b) || (a < b ? -1 : a > b ? 1 : 0);
  const sharpWeight = (slug: string): number => ownValue(weights, slug) ?? 0;
  return {
    nameOf,
    compare,
    sharpWeight,
    list(venues) {
      const sent = new Set(venues);
      const slugs = new Set([names, weights, types].flatMap(Object.keys).concat(venues));
      return [...slugs].sort(compare).map((slug) => ({
        slug,
        name: nameOf(slug),
        type: ownValue(types, slug) ?? (sent.has(slug) ? 'exchange' : 'sportsbook'),
        reference_weight: sharpWeight(slug),
      }));
    },
    weightsVersion: createHash('sha256').update(canonicalJson(weights)).digest('base64url').slice(0, 12),
  };
}
