import { mainQuotes } from '../../../projections/odds/main-quotes.ts';
import { corrections } from '../../../projections/sports-events/corrections.ts';
import { events } from '../../../projections/sports-events/events.ts';
import { intelligence } from '../../../projections/sports-events/intelligence.ts';
import { listings } from '../../../projections/sports-events/listings.ts';
import { findLeague, SPORTS } from '../../domain/catalogue/catalogue.ts';
import type { DocumentReader, Query, StoredDocument } from './document-reader.ts';

/** What has events of leagues. The directory is not among them: a club may play in another league by now. */
const BY_LEAGUE: ReadonlySet<string> = new Set(
  [events, listings, corrections, intelligence, mainQuotes].map(({ name }) => name),
);
const KNOWN = SPORTS.flatMap(({ leagues }) => leagues.map(({ slug }) => slug));

type Stored = StoredDocument<any> | undefined;

/** Whether answers show this document of the projection: its league may have been taken out of CONFIG. */
export function isShown(projection: string, document: unknown): boolean {
  if (!BY_LEAGUE.has(projection)) return true;
  const { league } = document as { readonly league?: string };
  return league === undefined || findLeague(league) !== undefined;
}

/** Reads as if nothing had been recorded of leagues that were taken out of CONFIG. */
export function createKnownLeagueReader(reader: DocumentReader): DocumentReader {
  const shown = (projection: string, stored: Stored) =>
    stored && isShown(projection, stored.document) ? stored : undefined;
  const isShownIn = (projection: string) => (stored: Stored) => shown(projection, stored) !== undefined;

  async function show(projection: string, query: Query, found: readonly StoredDocument<any>[]) {
    if (found.every(isShownIn(projection))) return found;
    // Only now, because few servers ever take a league out, and a list of leagues is slower to look up.
    const asked = query.where?.['league'];
    const given = asked === undefined ? undefined : [asked].flat();
    const league = given === undefined ? KNOWN : KNOWN.filter((slug) => given.includes(slug));
    return reader.find<any>(projection, { ...query, where: { ...query.where, league } });
  }

  return {
    get: async (projection, key) => shown(projection, await reader.get(projection, key)),
    getMany: async (projection, keys) =>
      (await reader.getMany<any>(projection, keys)).map((stored) => shown(projection, stored)),
    getAcross: async (wanted) =>
      (await reader.getAcross(wanted)).map((found, index) =>
        found.map((stored) => shown(wanted[index]!.projection, stored)),
      ),
    // Of tables of games, which are asked for by league and season, or by team.
    getDerived: (projection, keys, derivation) => reader.getDerived(projection, keys, derivation),
    find: async (projection, query) => show(projection, query, await reader.find(projection, query)),
    findEach: async (projection, queries) =>
      Promise.all(
        (await reader.findEach<any>(projection, queries)).map((found, index) =>
          show(projection, queries[index]!, found),
        ),
      ),
  };
}
