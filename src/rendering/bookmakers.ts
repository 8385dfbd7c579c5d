import { BOOKMAKERS } from '../domain/catalogue.ts';
import { ownValue } from '../domain/own.ts';

export interface BookmakerChoice {
  readonly includes: (bookmaker: string) => boolean;
  /** The slugs asked for; null for all. */
  readonly slugs: readonly string[] | null;
  /** One credit for a single bookmaker, two for all or several. */
  readonly credits: 1 | 2;
}

/** A list of one slug, however written, is one bookmaker. */
export function chooseBookmakers(parameter: string): BookmakerChoice {
  const slugs = [...new Set(parameter.split(',').map((slug) => slug.trim().toLowerCase()))].filter(
    (slug) => slug !== '',
  );
  if (slugs.includes('all')) return { includes: () => true, slugs: null, credits: 2 };
  return { includes: (bookmaker) => slugs.includes(bookmaker), slugs, credits: slugs.length > 1 ? 2 : 1 };
}

const ORDER = Object.keys(BOOKMAKERS);
const placeOf = (slug: string): number => {
  const place = ORDER.indexOf(slug);
  return place === -1 ? ORDER.length : place;
};

/** The order of the specification, others behind it by name. */
export const compareBookmakers = (a: string, b: string): number =>
  placeOf(a) - placeOf(b) || (a < b ? -1 : a > b ? 1 : 0);

export const bookmakerName = (slug: string): string => ownValue(BOOKMAKERS, slug) ?? slug;
