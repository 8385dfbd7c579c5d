import { playsLike } from '../catalogue/added-leagues.ts';
import { SPORT_SLUGS, type SportSlug } from '../catalogue/catalogue.ts';

/**
 * The settlement rules of slips, in words: the only list, from which `honesty` in answers and docs/slips.md are made.
 * If you change a rule in `settle-leg.ts`, change it here too and raise the version.
 */
const RULES_VERSION = '3';

const EVERY_SPORT: readonly string[] = [
  'A leg settles when its event is final, cancelled or a walkover, and never before: an over that is already beaten is in progress.',
  'Postponed and suspended events are waited for, whenever they are played.',
  'Of an event that is cancelled or a walkover, game legs are void, and props are dnp.',
  'A spread or total that lands on its line is a push. Totals, team totals and props show what happened, whichever side was taken.',
  'h2h_3_way is the moneyline of regular time, in all sports but tennis: a level score wins the draw, and loses both sides.',
  'Legs settle by the line that was submitted; a spread line is signed to the submitted side.',
  'A line of .25 or .75 is two half bets on the lines beside it. Where one of them is a push the result is that of the other, and result_detail is half_won or half_lost.',
  'A leg on a part of an event (1H, 2H, Q1 to Q4, P1 to P3, F5, S1) settles by the scores of that part when it ends, and stays settled if the event is cancelled later. Where the event is over and the part has no score, the leg is ungradeable.',
];

const PROPS: readonly string[] = [
  'A prop settles from the newest final statistics. A player who did not play, or is not in them, is dnp; a statistic that they do not have is no_stat.',
  'A combined statistic without a value of its own is made of the parts that are there.',
];
const LEVEL = 'A moneyline of a level score is a push.';
const OVERTIME = 'Overtime counts.';
const SECOND_HALF = 'The second half has the overtime too, a quarter or a period never.';

const OF_SPORTS: Readonly<Record<SportSlug, readonly string[]>> = {
  nfl: [OVERTIME, SECOND_HALF, LEVEL, 'Touchdowns are rushing and receiving ones.', ...PROPS],
  ncaaf: [OVERTIME, SECOND_HALF, LEVEL, 'Touchdowns are rushing and receiving ones.', ...PROPS],
  nba: [OVERTIME, SECOND_HALF, LEVEL, ...PROPS],
  ncaab: [OVERTIME, SECOND_HALF, LEVEL, ...PROPS],
  mlb: [
    'The moneyline needs 5 innings, or 4.5 with the home side ahead; spreads, totals and team totals need 9, or 8.5 with the home side ahead. Else they are void.',
    'A game whose innings are not stated is taken as full. Extra innings count.',
    'F5 needs 5 innings, or 4.5 with the home side ahead; else it is void.',
    'Props stand however short the game was. Who pitches does not matter.',
    LEVEL,
    ...PROPS,
  ],
  nhl: [OVERTIME, 'A score that is still level after a shootout gets one goal for who won it.', LEVEL, ...PROPS],
  soccer: [
    'Moneyline, spreads, totals and team totals are of 90 minutes and added time. Extra time and penalties do not count; while the score after 90 minutes is not stated, the leg stays in progress.',
    'A level score loses the moneyline of both sides, and wins the draw.',
    'Props of a match with extra time are no_stat, since its statistics count the extra time.',
    ...PROPS,
  ],
  tennis: [
    'Home is player_1, away is player_2. Spreads and totals are of games; a tie-break is one game.',
    'Where a player retires, the moneyline stands if a set was completed, for who goes through, and is void else; spreads and totals are void. S1 is void if the first set was not completed. A set is complete at 6 games with two more than the other, or at 7.',
  ],
};

const NOT_GRADED: readonly string[] = [
  'Markets that are named for their period (first_half_spreads): a leg names its scope.',
  'Other parts of an event, such as the second set, three innings or overtime; props of a part.',
  'Draws outside soccer, but those of h2h_3_way.',
  'Team totals outside nfl, ncaaf, mlb and soccer.',
  'Player props in tennis.',
  'Listed pitchers: a leg counts whoever pitches.',
  'Totals that were decided before a shortened game ended: they are void.',
  'Limits on how soon a postponed game must be played: bookmakers differ.',
  'Minimum playing times of a game (nfl 55, nba 43, nhl 55 minutes): feeds seldom tell.',
];

const NOTE =
  'Graded by the rules above from the facts that this server has; a bookmaker’s own rules and settlement may differ. A price changes no result.';

/** The note where another rule set was asked for. */
export const noteOfRules = (book: string): string =>
  `Graded by the rules of ${book} as they were read on the day that is given, and by the rules above where those say nothing, from the facts that this server has. The bookmaker’s own settlement may differ. A price changes no result.`;

/** `honesty` of every answer. */
export const HONESTY: {
  readonly rules_version: string;
  readonly house_rules: Readonly<Record<SportSlug, readonly string[]>>;
  readonly not_graded: readonly string[];
  readonly note: string;
} = {
  rules_version: RULES_VERSION,
  house_rules: Object.fromEntries(
    SPORT_SLUGS.map((sport) => [sport, [...EVERY_SPORT, ...OF_SPORTS[playsLike(sport)]]]),
  ) as unknown as Readonly<Record<SportSlug, readonly string[]>>,
  not_graded: NOT_GRADED,
  note: NOTE,
};
