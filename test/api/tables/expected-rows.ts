/** What the CSV of an answer holds by the specification: rows by column name. It knows nothing of the server's tables. */
type Json = Readonly<Record<string, any>>;
type Row = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members by column name: nested objects are joined with `_`, but for those that are one column. */
function flat(value: Json, whole: readonly string[] = [], start = ''): Row {
  const row: Row = {};
  for (const [name, member] of Object.entries(value)) {
    const column = `${start}${name}`;
    if (isObject(member) && !whole.includes(column)) Object.assign(row, flat(member, whole, `${column}_`));
    else row[column] = member;
  }
  return row;
}

/** Of what encloses the rows: its members by its singular. */
function enclosing(value: Json, singular: string, inner: string): Row {
  const row: Row = {};
  for (const [name, member] of Object.entries(value)) {
    if (name !== inner) row[name === singular || name === 'event_id' ? name : `${singular}_${name}`] = member;
  }
  return row;
}

const pick = (value: Json, ...names: string[]): Row => Object.fromEntries(names.map((name) => [name, value[name]]));

const lists =
  (member: string, head: readonly string[] = [], whole: readonly string[] = []) =>
  (answer: Json): Row[] =>
    answer[member].map((one: Json) => ({ ...pick(answer, ...head), ...flat(one, whole) }));

const priced =
  (whole: readonly string[] = []) =>
  ({ event_id, bookmakers }: Json): Row[] =>
    bookmakers.flatMap((book: Json) =>
      book['markets'].flatMap((market: Json) =>
        market['outcomes'].map((one: Json) => ({
          event_id,
          ...enclosing(book, 'bookmaker', 'markets'),
          ...enclosing(market, 'market', 'outcomes'),
          ...flat(one, whole),
        })),
      ),
    );

const HEAD = ['event_id', 'sport', 'status', 'period', 'clock'];
const lines =
  (member: string) =>
  (answer: Json): Row[] =>
    answer[member].flatMap(({ books, probability, suspect, side: own, ...line }: Json) =>
      Object.entries<Json>(books).flatMap(([bookmaker, sides]) =>
        Object.entries(sides).map(([side, price]) => ({
          ...pick(answer, ...HEAD),
          ...(answer['forecast'] ? flat({ forecast: answer['forecast'] }) : {}),
          ...line,
          ...(member === 'team_props' ? { team_side: own } : {}),
          ...(member === 'period_odds' ? { probability: probability?.[side] } : {}),
          bookmaker,
          side,
          price,
          ...(suspect?.[bookmaker]?.includes(side) ? { suspect: true } : {}),
        })),
      ),
    );

/** Prices of bookmakers, each with the fair probability of its outcome. */
function summary(answer: Json): Row[] {
  return priced()(answer).map((row: Json) => {
    const market = answer['consensus'].find(({ key }: Json) => key === row['market_key']);
    const fair = market?.outcomes.find(({ outcome }: Json) => outcome === row['outcome']);
    return { ...row, consensus_line: market?.line, consensus_open: fair?.open, consensus_close: fair?.close };
  });
}

function events({ events: all }: Json): Row[] {
  return all.map(({ participants = [], ...event }: Json) => {
    const row = flat(event, ['odds', 'intelligence']);
    for (const { role, ...side } of participants) {
      const own = role === 'home' || role === 'away' ? ['player', 'game_score'] : ['team'];
      const shown = Object.fromEntries(Object.entries(side).filter(([name]) => !own.includes(name)));
      Object.assign(row, flat(shown, [], `${role}_`));
    }
    return row;
  });
}

function splits({ event_id, captured_at, consensus, bookmakers }: Json): Row[] {
  return [{ bookmaker: null, name: null, ...consensus }, ...bookmakers].flatMap((book: Json) =>
    ['moneyline', 'spread', 'total'].flatMap((market) =>
      ['home', 'away', 'over', 'under'].flatMap((side) => {
        const share = book[market]?.[side];
        const head = { event_id, captured_at, bookmaker: book['bookmaker'], bookmaker_name: book['name'] };
        return share ? [{ ...head, market, side, ...share }] : [];
      }),
    ),
  );
}

function statistics(answer: Json): Row[] {
  const sides = Object.entries<Json>({ ...answer['teams'], ...answer['players'] });
  return sides.map(([role, side]) => ({
    ...pick(answer, 'event_id', 'league_slug', 'neutral_site', 'profile'),
    role,
    ...flat(side, ['rates_l5', 'rates_season']),
    player_box: answer['player_box']?.[role],
  }));
}

const standings = ({ league, season, groups }: Json): Row[] =>
  groups.flatMap((group: Json) =>
    group['rows'].map((one: Json) => ({ league, season, group: group['name'], ...flat(one) })),
  );

const projections = ({ league, season, rows }: Json): Row[] =>
  rows.map(({ market, ...one }: Json) => ({
    ...{ league, season, ...one },
    ...{ market_title: market.title, market_playoffs: market.playoffs, market_relegation: market.relegation },
    market_promotion: market.promotion,
  }));

const futures = ({ league, season, markets }: Json): Row[] =>
  markets.flatMap(({ market, bookmakers }: Json) =>
    bookmakers.flatMap(({ bookmaker, captured_at, outcomes }: Json) =>
      outcomes.map((one: Json) => ({ league, season, market, bookmaker, captured_at, ...one })),
    ),
  );
/** It stands in answers under a list of books alone: sheets without one stay as they are, byte for byte. */
const withoutBetter = ({ opportunities, ...answer }: Json): Json => ({
  ...answer,
  opportunities: opportunities.map(({ better_elsewhere: _, ...one }: Json) => one),
});

const arbitrage = ({ sport, opportunities }: Json): Row[] =>
  opportunities.flatMap((one: Json, index: number) =>
    one['legs'].map((leg: Json) => ({
      sport,
      opportunity: index + 1,
      ...enclosing(one, 'opportunity', 'legs'),
      ...leg,
    })),
  );

const mappings = ({ mappings: all }: Json): Row[] =>
  all.flatMap((one: Json) => one['refs'].map((ref: Json) => ({ ...enclosing(one, 'mapping', 'refs'), ...ref })));

/** The rows of an answer by the operation's name. */
export const EXPECTED_ROWS: Readonly<Record<string, (answer: Json) => Row[]>> = {
  list_seasons: lists('seasons'),
  get_standings: standings,
  get_futures: futures,
  get_projections: projections,
  get_futures_history: lists('movements', ['league', 'season']),
  list_events: events,
  query_events: events,
  batch_get_events: events,
  get_odds: priced(),
  get_odds_history: lists('movements', ['event_id']),
  get_odds_summary: summary,
  get_period_odds: lines('period_odds'),
  get_team_props: lines('team_props'),
  get_player_props: lines('player_props'),
  get_splits: splits,
  get_stats: statistics,
  get_injuries: lists('injuries', ['event_id', 'last_checked_at', 'confirmed_at', 'next_check_at']),
  list_corrections: lists('data', [], ['before', 'after']),
  scan_ev: (answer) => lists('opportunities', ['sport', 'market'])(withoutBetter(answer)),
  scan_arbitrage: (answer) => arbitrage(withoutBetter(answer)),
  list_forecasts: lists('wagers', ['date'], ['books']),
  get_record: (answer) => lists(answer.months ? 'months' : 'rows', ['sport', 'market'])(answer),
  get_market_quality: lists('books', ['league', 'market', 'days']),
  list_changes: lists('changes', [], ['data']),
  list_teams: lists('data'),
  search_players: lists('data'),
  get_player_events: lists('data', ['player_id']),
  list_mappings: mappings,
  get_usage: ({ days, endpoints, keys }) => [
    ...days.map((one: Json) => ({ counted_by: 'day', ...one })),
    ...endpoints.map((one: Json) => ({ counted_by: 'endpoint', ...one })),
    ...keys.map((one: Json) => ({ counted_by: 'key', ...one })),
  ],
  list_bets: lists('bets'),
  summarize_bets: lists('rows'),
  list_ledger: lists('data'),
};

/** The text of a cell by the specification. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  if (typeof value !== 'string') return String(value);
  const isNumber = /^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(value) && !Number.isNaN(Number(value));
  return '=+-@\t\r'.includes(value[0] ?? 'x') && !isNumber ? `'${value}` : value;
}
