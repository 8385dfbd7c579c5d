import { rolesOf, rulesOf } from '../sides.ts';
import type { BoxContent } from '../streams/statistics-streams.ts';
import { type Told, toldLast, withRepeated, withTold } from '../told-parts.ts';
import { ratedStats } from './rated-stats.ts';

/** What a side's box states, by `ratedFields` of the sport; null where it states none of them. */
export type SideStats = readonly (number | null)[] | null;
/** Of home or player_1, and of the other; null also where nobody has told. */
export type RatedSides = readonly [SideStats, SideStats];

/** Of one box message: each side's `SideStats` as JSON, as rows of tables have them; one that it does not tell of is
 *  missing. */
interface RatedContent {
  readonly first?: string;
  readonly second?: string;
}
/** What of the `box` messages of one event still counts, without players and without what is not rated. */
export type ToldRated = readonly Told<RatedContent>[];

const partsOf = ({ first, second }: RatedContent): string[] => {
  const parts: string[] = [];
  if (first !== undefined) parts.push('first');
  if (second !== undefined) parts.push('second');
  return parts;
};

/** Folds a record; the records of an event may come in any order of `at`. */
export const ratedWith = (kept: ToldRated, told: Told<BoxContent>, sport: string): ToldRated =>
  withTold(kept, { at: told.at, source: told.source, content: ratedContent(told.content, sport) }, partsOf);

/** Folds a reconfirmation. */
export const ratedReconfirmed = (
  kept: ToldRated,
  { at, source }: { readonly at: string; readonly source: string },
): ToldRated => withRepeated(kept, { at, source }, partsOf);

/** The `RatedSides` as JSON. */
export function ratedText(kept: ToldRated): string {
  const first = toldLast(kept, 'first', partsOf)?.content.first ?? 'null';
  const second = toldLast(kept, 'second', partsOf)?.content.second ?? 'null';
  return `[${first},${second}]`;
}
export const NOTHING_RATED = '[null,null]';

export const ratedSides = (kept: ToldRated): RatedSides => JSON.parse(ratedText(kept)) as RatedSides;

/** Home is player_1, whichever of the two a source says; and whoever plays alone is his own side. */
function ratedContent({ teams = {}, players }: BoxContent, sport: string): RatedContent {
  const [one, other] = rulesOf(sport).entry === 'player' ? rolesOf(sport) : [];
  const ownOf = (role: string | undefined) => role && players?.find((player) => player.role === role)?.stats;
  const first = teams.home ?? (ownOf(one) || teams.player_1);
  const second = teams.away ?? (ownOf(other) || teams.player_2);
  return {
    ...(first ? { first: statsText(sport, first) } : {}),
    ...(second ? { second: statsText(sport, second) } : {}),
  };
}

const statsText = (sport: string, stats: object): string =>
  JSON.stringify(ratedStats(sport, stats as Record<string, number>));
