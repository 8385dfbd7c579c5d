import { createHash } from 'node:crypto';
import { BOOKMAKERS, type BookmakerType, DEFAULT_BOOKMAKER_TYPES } from '../../domain/catalogue/catalogue.ts';
import { canonicalJson } from '../../domain/primitives/canonical-json.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { DAY } from '../../domain/primitives/time.ts';
import type { SharpWeight } from '../../intelligence/prices/sharp-books.ts';
import type { AsOf } from '../as-of/as-of.ts';
import type { LearntWeights } from '../reference-weights/learnt-weights.ts';

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

/** The weights of bookmakers, as far as they were known. */
export interface BookmakerWeights {
  /** Weight of a bookmaker's prices in the fair price; 0 for a bookmaker that is only compared with it. */
  readonly sharpWeight: SharpWeight;
  /** Differs whenever the weights differ that were in force for an event. @param closesAt its start: milliseconds */
  readonly weightsVersion: (sport: string, closesAt: number) => string;
}

/** Names and order of bookmakers. */
export interface Bookmakers extends BookmakerWeights {
  readonly nameOf: (slug: string) => string;
  /** Bookmakers with a name come first, in the order of the names; all others follow by slug. */
  readonly compare: (a: string, b: string) => number;
  /**
   * For an answer as of a moment. By the time of recording, weights count that the log had by then; by the time of
   * observation, and now, all that it has count from their date on, whenever they were learnt.
   */
  readonly weightsFor: (asOf: AsOf | undefined) => BookmakerWeights;
  /** All that are known: by name, by weight, by type, and the venues that sent an order book; in the order of `compare`. @param now milliseconds */
  readonly list: (venues: readonly string[], now: number) => readonly ListedBookmaker[];
}

/** As `list_bookmakers` shows it. */
export interface ListedBookmaker {
  readonly slug: string;
  readonly name: string;
  readonly type: BookmakerType;
  readonly reference_weight: number;
  /** By sport, where it was learnt. */
  readonly learnt_weights: readonly { readonly sport: string; readonly weight: number; readonly date: string }[];
}

/** The slug of a bookmaker without a name, as people would write it: `william_hill` is William Hill. */
export const nameOfSlug = (slug: string): string =>
  slug.replaceAll('_', ' ').replaceAll(/(^| )[a-z]/g, (start) => start.toUpperCase());

/** The same, for pages: they name every bookmaker in words, where programs get the slug of one without a name. */
export function withNamesInWords(bookmakers: Bookmakers): Bookmakers {
  // bet365 is written as its slug is.
  const hasName = (slug: string): boolean => ownValue(BOOKMAKERS, slug) === slug;
  const inWords = (slug: string, name: string): string => (name === slug && !hasName(slug) ? nameOfSlug(slug) : name);
  return {
    ...bookmakers,
    nameOf: (slug) => inWords(slug, bookmakers.nameOf(slug)),
    list: (venues, now) => bookmakers.list(venues, now).map((one) => ({ ...one, name: inWords(one.slug, one.name) })),
  };
}

/** An event that goes on longer after its start is judged by weights that may have been learnt meanwhile. */
const LONGEST_EVENT = 14 * DAY;

/** @param names display names by slug @param weights of reference books, by slug @param types by slug @param learnt absent: the weights never change */
export function createBookmakers(
  names: Readonly<Record<string, string>>,
  weights: Readonly<Record<string, number>>,
  types: Readonly<Record<string, BookmakerType>> = DEFAULT_BOOKMAKER_TYPES,
  learnt?: Pick<LearntWeights, 'at' | 'allAt' | 'versionAt'>,
): Bookmakers {
  const order = new Map(Object.keys(names).map((slug, place) => [slug, place]));
  const placeOf = (slug: string): number => order.get(slug) ?? order.size;
  const nameOf = (slug: string): string => ownValue(names, slug) ?? slug;
  const compare = (a: string, b: string): number => placeOf(a) - placeOf(b) || (a < b ? -1 : a > b ? 1 : 0);
  const constant: SharpWeight = (slug) => ownValue(weights, slug) ?? 0;
  const constantVersion = createHash('sha256').update(canonicalJson(weights)).digest('base64url').slice(0, 12);
  const weightsBy = (recordedBy?: number): BookmakerWeights =>
    learnt
      ? {
          sharpWeight: Object.assign((slug: string) => constant(slug), {
            at: (sport: string, moment: number) => learnt.at(sport, moment, recordedBy)?.weightOf ?? constant,
          }),
          weightsVersion: (sport, closesAt) =>
            `${constantVersion} ${learnt.versionAt(sport, closesAt + LONGEST_EVENT, recordedBy)}`,
        }
      : { sharpWeight: constant, weightsVersion: () => constantVersion };
  const present = weightsBy();
  return {
    nameOf,
    compare,
    ...present,
    weightsFor: (asOf) => (learnt && asOf?.basis === 'recorded' ? weightsBy(asOf.at) : present),
    list(venues, now) {
      const sent = new Set(venues);
      const dated = learnt?.allAt(now) ?? [];
      const known = [names, weights, types, ...dated.map((one) => one.weights)];
      const slugs = new Set(known.flatMap(Object.keys).concat(venues));
      return [...slugs].sort(compare).map((slug) => ({
        slug,
        name: nameOf(slug),
        type: ownValue(types, slug) ?? (sent.has(slug) ? 'exchange' : 'sportsbook'),
        reference_weight: constant(slug),
        learnt_weights: dated.flatMap(({ sport, date, weights: own }) => {
          const weight = ownValue(own, slug);
          return weight === undefined ? [] : [{ sport, weight, date }];
        }),
      }));
    },
  };
}
