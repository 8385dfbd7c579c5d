import { findLeague, findSport, type SportSlug } from '../../domain/catalogue/catalogue.ts';
import { LEAGUE_PHRASES, phraseOf, SPORT_PHRASES } from './query-vocabulary.ts';

/** What a word for a sport or a league limits events to. */
interface NamedCompetition {
  readonly sports: readonly SportSlug[];
  /** Slug; null: all leagues of the sports. */
  readonly league: string | null;
}

/** Words that mean more than one sport. A search takes the best known of them; a limit must not leave the others out. */
const WIDE_WORDS: ReadonlyMap<string, readonly SportSlug[]> = new Map([
  ['basketball', ['nba', 'ncaab']],
  ['football', ['nfl', 'ncaaf', 'soccer']],
]);

/**
 * The sport or league that a text names by its slug, name or abbreviation, in any case: `NFL`, `Premier League`, `EPL`.
 * Undefined: it names none.
 * @param first which of the two it is where it may be both, as `nfl` may
 */
export function namedCompetition(text: string, first: 'sport' | 'league'): NamedCompetition | undefined {
  const phrase = phraseOf(text);
  // The words of a slug may be parted by `_`, which phrases are not.
  const slug = text.trim().toLowerCase();
  const sport = findSport(slug)?.slug ?? SPORT_PHRASES.get(phrase);
  const sports = WIDE_WORDS.get(phrase) ?? (sport && [sport]);
  const league = findLeague(slug) ?? LEAGUE_PHRASES.get(phrase);
  const ofSport = sports && { sports, league: null };
  const ofLeague = league && { sports: [league.sport], league: league.slug };
  return first === 'sport' ? (ofSport ?? ofLeague) : (ofLeague ?? ofSport);
}
