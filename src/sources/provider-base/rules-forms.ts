/**
 * The forms in which prediction markets write rules of contracts, as patterns that hold from the beginning of a text to
 * its end. A text in no such form may be on a part of a game, or the other way round.
 */
export interface RulesForms {
  /** A game that is named in full, anywhere in a text. */
  readonly game: RegExp;
  /** What has to happen. */
  readonly conditions: readonly (readonly [ConditionKind, RegExp])[];
  /** Sentences that pay for no outcome of the game: what it is on, what if it is not played, who says how it ended. */
  readonly others: readonly RegExp[];
}
export type ConditionKind = 'win' | 'loss' | 'draw' | 'total';

interface SportWords {
  /** What stands between the names of the sides and the word game; the game of women is another one in most leagues. */
  readonly kind: string;
  /** What is counted; undefined where a line may be one of several things, as of games or of sets. */
  readonly unit: string | undefined;
}

const SPORTS: Readonly<Record<string, SportWords>> = {
  nba: { kind: 'NBA|basketball', unit: 'points' },
  nfl: { kind: 'NFL|American|football', unit: 'points' },
  mlb: { kind: 'MLB|baseball', unit: 'runs' },
  nhl: { kind: 'NHL|ice|hockey', unit: 'goals' },
  ncaaf: { kind: 'NCAAF|NCAA|CFB|FBS|college|football', unit: 'points' },
  ncaab: { kind: "NCAAB|NCAAMB|NCAA|CBB|college|men's|basketball", unit: 'points' },
  soccer: {
    kind: 'MLS|EPL|UCL|UEFA|Major|English|Premier|Champions|League|La|Liga|Serie|A|Bundesliga|Ligue|1|soccer|football',
    unit: 'goals',
  },
  tennis: { kind: "ATP|WTA|men's|women's|singles|tennis", unit: undefined },
};
const ANY_KIND = 'professional|regular|season|playoffs?|postseason';

const NUMBER = '\\d+(?:\\.\\d+)?';
const MONTHS = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
const CLOCK = '(?:,? (?:at )?\\d{1,2}(?::\\d\\d)? ?[ap]\\.?m\\.?(?: e[sd]?t)?)?';
const DATE = `(?<month>${MONTHS})[a-z]*\\.? (?<day>\\d{1,2})(?:, (?<year>\\d{4}))?${CLOCK}`;
const MORE = `(?:(?:more than|greater than|over) (?<over>${NUMBER})|at least (?<least>${NUMBER})|(?<orMore>${NUMBER}) or more)`;
const AMOUNT = `(?:${MORE}|(?:less than|fewer than|under) (?<less>${NUMBER}))`;
const NAME = (group: string): string => `(?:the )?(?<${group}>.+?)`;
const PAIR = `${NAME('one')} and ${NAME('two')}`;
const GAME = '(?:the|this) (?:game|match)';
const MARKET = '(?:the|this) market';

/** A remark, as the name of a source, has none of the words that turn a contract around or confine it to a part. */
const TURNS = [
  'wins?|won|los(?:e|es|t|ing|ers?)|beats?|defeats?|lead\\w*|scor(?:es|ed|ing)|fewer|less|sides?|ahead|behind|trail\\w*',
  'yes|resolves?|settles?|pays?|paid|pay-?outs?|outcomes?|opposite|revers\\w*|invert\\w*|swap\\w*|contrary',
  'instead|only|but|however|unless|except|if|half|half-?time|halves|quarters?|periods?|innings?|sets?|tie-?breaks?',
].join('|');
const remark = (characters: string, more = ''): string => `(?:(?!\\b(?:${TURNS}${more})\\b)${characters})*`;
const IN_BRACKETS = `\\(${remark('[^()"]')}\\)`;
const REMARK = remark('[^"]');

/** The whole game: with overtime, which in soccer is none of it. */
const NINETY = '(?:the )?(?:first )?90 minutes (?:of regular play )?plus (?:stoppage|injury|added) time';
const EXTRA = 'extra time(?:,? (?:or|and|nor) (?:any )?penalt(?:ies|y (?:kicks|shoot-?outs?)))?';
const OVERTIME = '(?:any )?(?:overtime(?: periods?)?|extra innings)(?:,? (?:or|and) (?:any )?(?:a )?shoot-?outs?)?';
const TIMES = {
  soccer: {
    note: `(?: (?:after|in|within) ${NINETY})?(?: \\((?:does|do) not include ${EXTRA}\\))?`,
    sentences: [
      `(?:this|the) market refers only to the (?:outcome|result) (?:within|after) ${NINETY}`,
      `${EXTRA} (?:(?:does|do) not count|(?:is|are) (?:excluded|not included))`,
    ],
  },
  other: {
    note: `(?:,? \\(?(?:including|includes) ${OVERTIME}\\)?)?`,
    sentences: [
      `the (?:result|outcome) (?:(?:will be|is) determined based on the final score,? )?(?:including|includes) ${OVERTIME}`,
      `(?:this|the) market includes ${OVERTIME}`,
      `${OVERTIME} (?:counts?|(?:is|are) included|will count|will be included)`,
    ],
  },
} as const;

const cached = new Map<string, RulesForms>();

/** The forms of rules on games of a sport. */
export function formsOf(sport: string): RulesForms {
  const known = cached.get(sport);
  if (known) return known;
  const forms = makeForms(sport);
  cached.set(sport, forms);
  return forms;
}

function makeForms(sport: string): RulesForms {
  const { kind = ANY_KIND, unit } = SPORTS[sport] ?? {};
  const time = TIMES[sport === 'soccer' ? 'soccer' : 'other'];
  const kinds = `(?: (?:${ANY_KIND}|${kind}))*`;
  const place = `(?:,? (?:in|at) (?:the )?${remark('[^",]', '|games?|points?|serves?|by|no|not|first|second|third|fourth|fifth|1st|2nd|3rd|4th|5th')})?`;
  const when =
    sport === 'tennis'
      ? `${place}(?:,? (?:originally )?scheduled for ${DATE})?(?:,? after a ball has been played)?`
      : `(?:,? (?:originally )?scheduled for ${DATE})?`;
  const named = `the (?<first>(?:(?!the\\b).)+?) (?:at|@|vs?\\.?|versus) (?<second>.+?)${kinds} (?:game|match)\\b`;
  const game = `(?:${GAME}|${named}${when})${time.note}`;
  const by = unit === undefined ? '(?!)' : `by ${MORE} ${unit}`;
  const counted = unit === undefined ? '(?!)' : `${AMOUNT}(?: total)? ${unit}`;
  const scorers = `(?:(?:the|both) (?:teams|sides)(?: in ${GAME})?|${PAIR})`;
  const score = '(?:collectively score|combine to score|combine for|together score)';
  const unplayed = [
    `(?:(?:is|was|has been) )?(?:cancell?ed|abandoned|postponed|delayed|forfeited|not (?:completed|played|finished))(?: entirely)?`,
    `ends in a ${sport === 'soccer' ? 'walkover' : '(?:tie|draw|walkover)'}`,
    'a winner has not been determined',
  ].join('|');
  const event = `(?:${unplayed})(?: ${IN_BRACKETS})?(?:,? with no make-?up game)?(?: (?:by|beyond|within|for more than) ${REMARK})?`;
  const conditions: readonly (readonly [ConditionKind, string])[] = [
    ['win', `${NAME('winner')} wins?(?: ${game})?(?: ${by})?`],
    ['win', `${NAME('winner')} wins? ${by} in ${game}`],
    ['win', `${NAME('winner')} (?:wins? against|beats?|defeats?) ${NAME('loser')}`],
    // Who advances has won a match of tennis; in a cup of soccer it may have lost this one.
    ['win', sport === 'tennis' ? `${NAME('winner')} advances?(?: against ${NAME('loser')})?` : '(?!)'],
    ['loss', `${NAME('loser')} loses?(?: ${game})?`],
    ['draw', `${game} ends? in a (?:tie|draw)${time.note}`],
    ['draw', `(?:the |a )?(?:tie|draw) (?:wins|is the result of) ${game}`],
    ['total', `${scorers} ${score} ${counted}(?: (?:in|during) ${game})?`],
    ['total', `the teams in ${game} ${score} ${counted}`],
    ['total', `${counted} (?:are|is) scored(?: in ${game})?`],
    ['total', `the (?:total|combined) (?:combined )?(?:score|total)(?: of ${PAIR})? is ${AMOUNT}(?: ${unit})?`],
  ];
  const others = [
    `in the upcoming${kinds} (?:game|match)(?: between ${PAIR})?,? (?:originally )?scheduled for ${DATE}`,
    `${MARKET} (?:refers to|is on) the${kinds} (?:game|match) between ${PAIR}${when}`,
    `(?:the following market|${MARKET}) refers to ${game}`,
    `${GAME} is (?:originally )?scheduled (?:for|to be played on) ${DATE}`,
    `${NAME('one')} (?:plays?|faces?|hosts?|visits?|meets?)(?: at)? ${NAME('two')}(?: on ${DATE})?`,
    `if ${GAME} is (?:postponed|delayed|rescheduled|suspended)(?: or (?:postponed|delayed|rescheduled|suspended))?, ${MARKET} will remain open (?:until (?:${GAME}|it) (?:has been|is) (?:completed|finished|played)|and close after the rescheduled (?:game|match) has finished(?: ${IN_BRACKETS})?)`,
    `if (?:${GAME} )?${event}(?:(?:, or|,| or) ${event})*, ${MARKET} will (?:also )?resolve (?:to )?(?:a fair price\\b${REMARK}|(?<quote>["']?)(?:50[-/]50|yes|no)\\.?\\k<quote>|\\$0\\.50 for each (?:team|side|player))`,
    `if the match (?:begins|starts) but is not completed,? and one player advances due to (?:the|their) opponent's retirement, default,? or disqualification, ${MARKET} will resolve to the player who advances`,
    `(?:if ${GAME} is started but not completed, )?${MARKET} will resolve according to the official final score(?: published (?:on|by) ${REMARK})?`,
    `(?:the )?(?:primary )?(?:resolution|settlement) sources?(?: for ${MARKET})?(?: is| are| will be|:) ${REMARK}`,
    `(?:however, )?if the governing body or (?:the )?event organi[sz]ers have not published final match statistics within \\d+ hours? after the (?:event|game|match)'s conclusion, a consensus of credible reporting may (?:also )?be used(?: instead)?`,
    `a consensus of credible reporting may also be used`,
    `to know when a postponed (?:game|match) will be played, ${REMARK}`,
    ...time.sentences,
  ];
  return {
    game: new RegExp(`${named}${when}`, 'i'),
    conditions: conditions.map(([name, source]) => [name, new RegExp(`^${source}$`, 'i')]),
    others: others.map((source) => new RegExp(`^${source}$`, 'i')),
  };
}
