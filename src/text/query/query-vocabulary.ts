import {
  EVENT_STATUSES,
  type EventStatus,
  type League,
  SPORT_SLUGS,
  SPORTS,
  type SportSlug,
} from '../../domain/catalogue/catalogue.ts';
import { readQueryWords } from './query-words.ts';

/** Phrases of one or two words for sports, including their slugs. */
export const SPORT_PHRASES: ReadonlyMap<string, SportSlug> = new Map<string, SportSlug>([
  ...SPORT_SLUGS.map((slug) => [slug, slug] as const),
  ['hockey', 'nhl'],
  ['ice hockey', 'nhl'],
  ['basketball', 'nba'],
  ['baseball', 'mlb'],
  ['american football', 'nfl'],
  ['college football', 'ncaaf'],
  ['ncaa football', 'ncaaf'],
  ['college basketball', 'ncaab'],
  ['ncaa basketball', 'ncaab'],
]);

/** Phrases for statuses, including their own names. */
export const STATUS_PHRASES: ReadonlyMap<string, EventStatus> = new Map<string, EventStatus>([
  ...EVENT_STATUSES.map((status) => [status, status] as const),
  ['live', 'inprogress'],
  ['in progress', 'inprogress'],
  ['upcoming', 'scheduled'],
  ['canceled', 'cancelled'],
]);

/** A text as phrases are written here: its words in lower case, without signs. */
export const phraseOf = (text: string): string =>
  readQueryWords(text)
    .words.map(({ word }) => word)
    .join(' ');

/** A leading name of the body that holds the competition. */
const BODY = /^(?:fifa|uefa) (?=.+ )/;

/** The slug, name and abbreviation of a league, and its name without the body that holds it. */
function phrasesOf({ slug, name, abbreviation }: League): readonly string[] {
  const full = phraseOf(name);
  return [phraseOf(slug), phraseOf(slug.replaceAll('_', ' ')), full, phraseOf(abbreviation), full.replace(BODY, '')];
}

/** Phrases for leagues, as the catalogue names them. What names a sport means the sport. */
export const LEAGUE_PHRASES: ReadonlyMap<string, League> = new Map(
  SPORTS.flatMap(({ leagues }) => leagues)
    .flatMap((league) => phrasesOf(league).map((phrase) => [phrase, league] as const))
    .filter(([phrase]) => !SPORT_PHRASES.has(phrase)),
);

/** Words without a meaning for the selection of events. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the all any and or of in on at for from to between is are there what which me show list find get give ' +
    'please game games match matches event events fixture fixtures'
  ).split(' '),
);

/**
 * Words that are no name of a team or a player by themselves, though somebody may be called so: they are too common.
 * Within a longer name they count.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    'i we you he she it they my our your his her its their us them do does did will would can could may might must ' +
    'have has had was were be been am not no yes who whom whose when where why how about after against as before but ' +
    'by during if into near out over so than then until up versus vs v with without now tonight night morning ' +
    'afternoon evening day days week weeks weekend month months year years season seasons monday tuesday wednesday ' +
    'thursday friday saturday sunday mon tue wed thu fri sat january february march april june july august september ' +
    'october november december jan feb mar apr jun jul aug sep sept oct nov dec early late later soon next last this ' +
    'past coming one two three four five six seven eight nine ten first second third football sport sports league ' +
    'leagues team teams player players club schedule score scores result results odds line lines spread spreads total ' +
    'totals moneyline bet bets price prices prop props stats standings injury injuries play plays playing played win ' +
    'wins won lose lost home away start starts watch see want need tell top best big good great new more only also just ' +
    'some every each both other college ncaa american ice'
  ).split(' '),
);
