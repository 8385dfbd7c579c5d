import { GAMES, type Game } from './question-log.ts';

export interface PlannedCall {
  readonly tool: string;
  /** @param answers to the calls before */
  readonly given: (answers: readonly any[]) => object;
}

/** A question, the calls that answer it, and what the last of them must say. */
export interface Question {
  readonly text: string;
  /** Names of toolsets in which the right tool is. */
  readonly toolset: 'core' | 'odds' | 'stats' | 'betting' | 'account';
  /** The last is the right tool: the others only find ids. */
  readonly calls: readonly PlannedCall[];
  /** What the last answer says about the question. */
  readonly answerOf: (answer: any) => unknown;
  readonly expected: unknown;
}

type Of<Subject> = (subject: Subject) => Omit<Question, 'text'>;

/** Questions of one kind: some phrases, each about some subjects. */
function kind<Subject>(
  subjects: readonly Subject[],
  phrases: readonly ((subject: Subject) => string)[],
  of: Of<Subject>,
): readonly Question[] {
  return phrases.flatMap((phrase) => subjects.map((subject) => ({ text: phrase(subject), ...of(subject) })));
}

const short = (name: string): string => name.split(' ').at(-1)!;
const pair = ({ home, away }: Game): string => `${short(home)} against ${short(away)}`;

/** Finds the event of a game, then asks about it. */
const about = (tool: string, game: Game, more: object = {}): readonly PlannedCall[] => [
  {
    tool: 'list_events',
    given: () => ({ sport: game.sport, date: game.date, limit: 5, fields: 'events.id,events.name' }),
  },
  { tool, given: ([list]) => ({ id: eventIn(list, game), ...more }) },
];

function eventIn({ events }: any, { home }: Game): number {
  const found = events.find(({ name }: { name: string }) => name.includes(home));
  if (!found) throw new Error(`no event of ${home}`);
  return found.id;
}

const direct = (tool: string, given: object): readonly PlannedCall[] => [{ tool, given: () => given }];

const some = (count: number, from = 0): readonly Game[] =>
  Array.from({ length: count }, (_, index) => GAMES[(from + index) % GAMES.length]!);

const scores = kind<Game>(
  some(6),
  [
    (game) => `What was the score of ${pair(game)} on ${game.date}?`,
    (game) => `Did the ${short(game.home)} beat the ${short(game.away)}? I only need the score.`,
    (game) => `Score of the event ${short(game.away)} at ${short(game.home)}?`,
  ],
  (game) => ({
    toolset: 'core',
    calls: about('get_live_score', game),
    answerOf: ({ scores }) => scores[0].score,
    expected: String(game.scores[0]),
  }),
);

const lists = kind<Game>(
  some(6),
  [
    ({ sport, date }) => `Which ${sport} events are there on ${date}?`,
    ({ sport, date }) => `List the events of the league ${sport} by start, from ${date}.`,
  ],
  ({ sport, date, home }) => ({
    toolset: 'core',
    calls: direct('list_events', { sport, date }),
    answerOf: ({ events }) => events.some(({ name }: any) => name.includes(home)),
    expected: true,
  }),
);

const wordy = kind<Game>(
  some(5, 2),
  [({ sport, date }) => `Read this text in English and look for events: "${sport} ${date}".`],
  ({ sport, date, home }) => ({
    toolset: 'core',
    calls: direct('query_events', { query: `${sport} ${date}` }),
    answerOf: ({ events }) => events.some(({ name }: any) => name.includes(home)),
    expected: true,
  }),
);

const details = kind<Game>(
  some(5, 1),
  [
    (game) => `Give me one event with its odds and intelligence on request: ${pair(game)}.`,
    (game) => `Everything on the event ${pair(game)}, include odds.`,
  ],
  (game) => ({
    toolset: 'core',
    calls: about('get_event', game, { include_odds: true }),
    answerOf: ({ name, odds }) => [name.includes(game.home), odds.available],
    expected: [true, true],
  }),
);

const prices = kind<Game>(
  some(6),
  [
    (game) => `What prices do all bookmakers have on ${pair(game)}?`,
    (game) => `Pinnacle's odds on the ${short(game.home)} in their event with the ${short(game.away)}`,
    (game) => `Compare the prices of several bookmakers for ${pair(game)}.`,
  ],
  (game) => ({
    toolset: 'core',
    calls: about('get_odds', game, { bookmaker: 'pinnacle' }),
    answerOf: ({ bookmakers }) =>
      bookmakers[0].markets[0].outcomes.find(({ outcome }: any) => outcome === game.home)?.price,
    expected: game.prices[1],
  }),
);

const moves = kind<Game>(
  some(6, 3),
  [
    (game) => `How did the line of ${pair(game)} move?`,
    (game) => `Line movements of ${pair(game)}, newest first`,
    (game) => `Show the history of the odds on ${pair(game)}.`,
  ],
  (game) => ({
    toolset: 'core',
    calls: about('get_odds_history', game),
    answerOf: (answer) => JSON.stringify(answer).includes(String(game.prices[0])),
    expected: true,
  }),
);

const injuries = kind<Game>(
  some(7),
  [
    (game) => `Who is injured for ${pair(game)}?`,
    (game) => `Injuries of the ${short(game.home)} for their event of ${game.date}`,
    ({ injured }) => `Is ${injured} injured or unavailable?`,
  ],
  (game) => ({
    toolset: 'core',
    calls: about('get_injuries', game),
    answerOf: (answer) => JSON.stringify(answer).includes(game.injured),
    expected: true,
  }),
);

const worth = kind<Game>(
  some(5),
  [
    (game) => `What are the fair probabilities of ${pair(game)}?`,
    (game) => `Is there expected value in the bets on ${pair(game)}, by its fair price?`,
  ],
  (game) => ({
    toolset: 'core',
    calls: about('get_intelligence', game),
    answerOf: ({ event_id }) => typeof event_id,
    expected: 'number',
  }),
);

const people = kind<Game>(
  some(5),
  [
    ({ injured }) => `Find the player ${injured}.`,
    ({ injured, sport }) => `Search ${sport} players by name: ${short(injured)}`,
  ],
  ({ injured, sport }) => ({
    toolset: 'core',
    calls: direct('search_players', { sport, q: injured }),
    answerOf: ({ data }) => data[0].full_name,
    expected: injured,
  }),
);

const teamNames = kind<Game>(
  some(5, 4),
  [
    ({ home }) => `Which team does the name "${short(home)}" mean?`,
    ({ home, sport }) => `Resolve the ${sport} team ${home}.`,
  ],
  ({ home, sport }) => ({
    toolset: 'core',
    calls: direct('resolve_team', { query: home, clues: { sport } }),
    answerOf: ({ display_name }) => display_name,
    expected: home,
  }),
);

const slipTexts = kind<Game>(
  some(6),
  [
    ({ home, date }) => `Grade my bet slip: ${short(home)} ML ${date}.`,
    ({ home, date }) => `I bet ${short(home)} moneyline on ${date}; is the leg of my slip won?`,
  ],
  ({ home, date }) => ({
    toolset: 'core',
    calls: direct('grade_slip', { text: `${home} ML ${date}` }),
    answerOf: ({ legs }) => legs[0].result,
    expected: 'won',
  }),
);

const credits = kind<string>(
  ['How many credits do I have left?', 'What is the balance of my account’s credits?', 'Credits of the account?'],
  [(text) => text],
  () => ({
    toolset: 'core',
    calls: direct('get_credits', {}),
    answerOf: (answer) => typeof answer,
    expected: 'object',
  }),
);

/** About an event, with a tool of another set. */
const ofEvent = (
  toolset: Question['toolset'],
  tool: string,
  phrases: readonly ((game: Game) => string)[],
  count = 3,
): readonly Question[] =>
  kind<Game>(some(count), phrases, (game) => ({
    toolset,
    calls: about(tool, game),
    answerOf: ({ event_id }) => typeof event_id,
    expected: 'number',
  }));

/** With a tool of another set, where the answer is an object that has these members. */
const plain = (
  toolset: Question['toolset'],
  tool: string,
  texts: readonly string[],
  given: object,
  member: string,
): readonly Question[] =>
  kind<string>(texts, [(text) => text], () => ({
    toolset,
    calls: direct(tool, given),
    answerOf: (answer) => Object.hasOwn(answer, member),
    expected: true,
  }));

const others: readonly Question[] = [
  ...ofEvent('odds', 'get_splits', [
    (game) => `What share of the public bets is on the ${short(game.home)}? I want the betting splits.`,
    (game) => `Public betting splits of ${pair(game)}`,
  ]),
  ...ofEvent('odds', 'get_odds_summary', [
    (game) => `Best price and consensus for ${pair(game)} in a summary of the odds`,
  ]),
  ...ofEvent('odds', 'get_period_odds', [(game) => `First half and quarter lines of ${pair(game)}, by period`]),
  ...ofEvent('odds', 'get_player_props', [(game) => `Player props on ${game.injured} in ${pair(game)}`]),
  ...ofEvent('odds', 'get_team_props', [(game) => `Team totals of ${pair(game)}: props of the teams`]),
  ...ofEvent('stats', 'get_stats', [(game) => `Form, standings and statistics of both sides of ${pair(game)}`]),
  ...plain(
    'stats',
    'list_sports',
    ['Which sports and leagues are there?', 'Sports with their leagues, please'],
    {},
    'sports',
  ),
  ...plain(
    'stats',
    'list_seasons',
    ['Which seasons of nfl are there?', 'Current seasons of the leagues'],
    { sport: 'nfl' },
    'seasons',
  ),
  ...plain(
    'stats',
    'list_teams',
    ['List the teams of the nba', 'Which teams play in the conference East?'],
    { sport: 'nba' },
    'data',
  ),
  ...plain('stats', 'list_corrections', ['Which facts were corrected?', 'Corrections of scores in nfl'], {}, 'data'),
  ...plain(
    'stats',
    'list_changes',
    ['What has changed since the last cursor?', 'Changes of all events, newest at the end'],
    {},
    'changes',
  ),
  ...plain(
    'stats',
    'resolve_player',
    ['Which player does the name Mahomes mean?', 'Resolve the player Josh Allen'],
    { query: 'Patrick Mahomes' },
    'player_id',
  ),
  ...plain(
    'stats',
    'list_mappings',
    ['Which ids do sources use for teams? I need the mappings.', 'Mappings of refs of a source to ids'],
    { source: 'questions', ref: 'nfl-kansas-city-chiefs' },
    'total',
  ),
  ...plain(
    'betting',
    'scan_ev',
    ['Scan for bets with positive expected value in nfl', 'Which nfl prices beat the fair ones? Scan all.'],
    { sport: 'nfl' },
    'total',
  ),
  ...plain(
    'betting',
    'scan_arbitrage',
    ['Is there arbitrage between bookmakers in nba?', 'Scan nba for arbitrage'],
    { sport: 'nba' },
    'total',
  ),
  ...plain(
    'betting',
    'list_forecasts',
    ['Forecasts of the server’s models for nhl', 'What do your own models forecast for nhl?'],
    { sport: 'nhl' },
    'total',
  ),
  ...plain(
    'betting',
    'get_record',
    ['How accurate were your forecasts? The track record of nfl', 'Record and accuracy of forecasts'],
    { sport: 'nfl' },
    'sport',
  ),
  ...plain(
    'account',
    'get_health',
    ['Is the server healthy, and which version is it?', 'State of the server and its health'],
    {},
    'status',
  ),
  ...plain('account', 'list_keys', ['Which API keys does the account have?', 'List my keys'], {}, 'keys'),
  ...plain('account', 'list_webhooks', ['Which webhooks do I have?', 'List all webhook subscriptions'], {}, 'data'),
  ...plain(
    'account',
    'list_credit_packs',
    ['Which packs of credits can be bought?', 'Credit packs and their prices'],
    {},
    'packs',
  ),
  ...plain(
    'account',
    'estimate_cost',
    ['What would these calls cost before they are made?', 'Estimate the cost of calls'],
    { calls: [{ tool: 'get_credits' }] },
    'estimates',
  ),
];

/** 200 questions: three in four of the kinds that `core` answers. */
export const QUESTIONS: readonly Question[] = [
  ...scores,
  ...lists,
  ...wordy,
  ...details,
  ...prices,
  ...moves,
  ...injuries,
  ...worth,
  ...people,
  ...teamNames,
  ...slipTexts,
  ...credits,
  ...others,
];
