/** A call of one operation: as both clients make it, and as plain HTTP. */
export interface EveryCall {
  /** Of the operation. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** `GET /v1/sports?active_only=true`. */
  readonly request: string;
  readonly body?: unknown;
  /** `Idempotency-Key`: all who call get the answer to the first. */
  readonly key?: string;
  /** `each`: the items of all pages; `stream`: what it tells until its end. */
  readonly group?: 'each' | 'stream';
  /** Members that differ from moment to moment, beside those that do in all answers. */
  readonly moving?: readonly string[];
  /** How many items of a stream without an end are read. */
  readonly most?: number;
}

/** Ids of things that the calls name. */
export interface KnownIds {
  readonly nfl: number;
  readonly tennis: number;
  readonly team: number;
  readonly player: number;
  readonly receipt: string;
  readonly experiment: string;
  readonly webhook: number;
  /** Those that this caller ends. */
  readonly ended: { readonly webhook: number; readonly key: number; readonly link: number; readonly bet: number };
}

/** A call of every operation, by all kinds of arguments: times, days, lists, words, bodies. */
export function everyCall(ids: KnownIds, asOf: string, today: string): readonly EveryCall[] {
  const call = (name: string, given: EveryCall['arguments'], request: string, more: Partial<EveryCall> = {}) => ({
    name,
    arguments: given,
    request,
    ...more,
  });
  const read = (name: string, path: string, given: EveryCall['arguments'] = {}, query = '') =>
    call(name, { id: ids.nfl, ...given }, `GET /v1/events/${ids.nfl}${path}${query}`);
  const time = encodeURIComponent(asOf);
  const query = { query: 'nfl games', limit: 1 };
  const leg = { legs: [{ event_id: ids.nfl, market_key: 'ml', side: 'away' }] };
  const taken = { price: 110, stake: 5, book: 'fanduel', placed_at: asOf };
  const [from, to] = [1, 2].map((hours) => new Date(Date.parse(asOf) + hours * 3_600_000).toISOString());
  // Whoever calls ends it, and all call at once.
  const ended = { moving: ['state', 'ended_at'] };
  const asserted = { name: 'one', policy: null, cohort: { sport: 'nfl' }, from, to, gates: { clv_above: 0 }, seed: 7 };
  const bets = { bets: [{ event_id: ids.nfl, market_key: 'ml', side: 'away', ...taken }] };
  const hook = { url: 'https://127.0.0.1/in', event_types: ['score'], sport: 'nfl' };
  const sheet = { path: '/v1/events?sport=nfl', format: 'csv', expires_at: '2100-01-01T00:00:00Z' };
  const trial = { client_name: 'every call' };
  const books = { my_books: ['fanduel', 'betmgm'] };
  const unknown = { device_code: 'of no program' };
  const calls = [{ tool: 'get_event', arguments: { id: 1, include_odds: true } }];
  return [
    call('get_health', {}, 'GET /v1/health'),
    call('list_sports', { active_only: true }, 'GET /v1/sports?active_only=true'),
    call('list_seasons', { sport: 'nfl', current_only: false }, 'GET /v1/seasons?sport=nfl&current_only=false'),
    call('list_bookmakers', {}, 'GET /v1/bookmakers'),
    call('get_standings', { slug: 'nfl', season: 2025 }, 'GET /v1/leagues/nfl/standings?season=2025'),
    call('get_projections', { slug: 'nfl', season: 2025 }, 'GET /v1/leagues/nfl/projections?season=2025'),
    call('get_futures', { slug: 'nfl', season: 2025 }, 'GET /v1/leagues/nfl/futures?season=2025'),
    call(
      'get_futures_history',
      { slug: 'nfl', season: 2025, bookmaker: 'all' },
      'GET /v1/leagues/nfl/futures/history?season=2025&bookmaker=all',
    ),
    call(
      'list_events',
      { from: today, include_scores: true, limit: 3 },
      `GET /v1/events?from=${today}&include_scores=true&limit=3`,
    ),
    call('list_events', { sport: 'soccer', sort: 'status' }, 'GET /v1/events?sport=soccer&sort=status'),
    call('list_events', { limit: 2 }, 'GET /v1/events?limit=100', { group: 'each' }),
    call('query_events', query, 'POST /v1/query', { body: query }),
    call('query_events', query, 'GET /v1/events?sport=nfl&limit=100', { group: 'each' }),
    read('get_event', '', { include_odds: true, bookmaker: 'all' }, '?include_odds=true&bookmaker=all'),
    read('get_event', '', { as_of: asOf, as_of_basis: 'observed' }, `?as_of=${time}&as_of_basis=observed`),
    call('get_event', { id: 999_999 }, 'GET /v1/events/999999'),
    call('batch_get_events', { event_ids: [ids.nfl, ids.tennis, 999] }, 'POST /v1/events/batch', {
      body: { event_ids: [ids.nfl, ids.tennis, 999] },
    }),
    read('get_live_score', '/score'),
    call('stream_scores', { id: ids.nfl }, `GET /v1/events/${ids.nfl}/score`, { group: 'stream' }),
    call(
      'stream_changes',
      { after: '0', types: 'score,status' },
      'GET /v1/changes?after=0&types=score,status&limit=3',
      {
        group: 'stream',
        most: 3,
      },
    ),
    read('get_odds', '/odds', { bookmaker: 'pinnacle,fanduel' }, '?bookmaker=pinnacle,fanduel'),
    read('get_odds_history', '/odds/history', { bookmaker: 'all', limit: 3 }, '?bookmaker=all&limit=3'),
    read('get_odds_summary', '/odds/summary', { bookmaker: 'all' }, '?bookmaker=all'),
    read('get_period_odds', '/period-odds', { include_forecast: true }, '?include_forecast=true'),
    read('get_team_props', '/team-props', { include_alts: true }, '?include_alts=true'),
    read('get_player_props', '/player-props', { market: 'passing_yards' }, '?market=passing_yards'),
    read('get_splits', '/splits'),
    read('get_stats', '/stats'),
    read('get_injuries', '/injuries', { exclude_status: 'available' }, '?exclude_status=available'),
    read('get_intelligence', '/intelligence'),
    read('get_probabilities', '/probabilities'),
    call('list_corrections', { field: 'score', limit: 1 }, 'GET /v1/corrections?field=score&limit=1'),
    call('list_corrections', { limit: 1 }, 'GET /v1/corrections', { group: 'each' }),
    call('scan_ev', { sport: 'soccer', min_ev: -5.5 }, 'GET /v1/intelligence/ev?sport=soccer&min_ev=-5.5'),
    call('scan_arbitrage', { sport: 'soccer', kind: 'all' }, 'GET /v1/intelligence/arbitrage?sport=soccer&kind=all'),
    call('list_forecasts', { sport: 'soccer' }, 'GET /v1/intelligence/forecasts?sport=soccer'),
    call('get_market_quality', { league: 'nfl', market: 'totals' }, 'GET /v1/markets/quality?league=nfl&market=totals'),
    call('get_record', { sport: 'nfl', league: 'nfl' }, 'GET /v1/intelligence/record?sport=nfl&league=nfl'),
    call(
      'list_changes',
      { after: '0', types: 'score,status', event_id: [ids.nfl] },
      `GET /v1/changes?after=0&types=score,status&event_id=${ids.nfl}`,
    ),
    call('list_teams', { sport: 'nfl', q: 'Kansas City' }, 'GET /v1/teams?sport=nfl&q=Kansas%20City'),
    call('list_teams', { limit: 2 }, 'GET /v1/teams?limit=100', { group: 'each' }),
    call('get_team', { id: ids.team }, `GET /v1/teams/${ids.team}`),
    call('search_players', { sport: 'tennis', active: true }, 'GET /v1/players?sport=tennis&active=true'),
    call('search_players', { sport: 'tennis', limit: 1 }, 'GET /v1/players?sport=tennis', { group: 'each' }),
    call('get_player', { id: ids.player }, `GET /v1/players/${ids.player}`),
    call('get_player_events', { id: ids.player }, `GET /v1/players/${ids.player}/events`),
    call('get_player_events', { id: ids.player }, `GET /v1/players/${ids.player}/events`, { group: 'each' }),
    call('resolve_team', { query: 'Chiefs', clues: { sport: 'nfl' } }, 'POST /v1/resolve/team', {
      body: { query: 'Chiefs', clues: { sport: 'nfl' } },
    }),
    call('resolve_player', { query: 'Mahomes', options: { mode: 'permissive' } }, 'POST /v1/resolve/player', {
      body: { query: 'Mahomes', options: { mode: 'permissive' } },
    }),
    call('list_mappings', { source: 'feed', ref: 'g2' }, 'GET /v1/mappings?source=feed&ref=g2'),
    call('grade_slip', leg, 'POST /v1/grade/slip', { body: leg, key: 'slip' }),
    call('get_grade_receipt', { id: ids.receipt }, `GET /v1/grade/receipts/${ids.receipt}`),
    call('add_bets', bets, 'POST /v1/bets', { body: bets, key: 'bets' }),
    call('list_bets', { limit: 5 }, 'GET /v1/bets?limit=5'),
    call('list_bets', {}, 'GET /v1/bets?limit=100', { group: 'each' }),
    call('summarize_bets', { by: 'month' }, 'GET /v1/bets/summary?by=month'),
    call('create_experiment', asserted, 'POST /v1/experiments', { body: asserted, key: 'experiment' }),
    call('get_experiment', { id: ids.experiment }, `GET /v1/experiments/${ids.experiment}`, ended),
    call('list_experiments', {}, 'GET /v1/experiments', ended),
    call('end_experiment', { id: ids.experiment }, `POST /v1/experiments/${ids.experiment}/end`),
    call('estimate_cost', { calls }, 'POST /v1/estimate', { body: { calls } }),
    call('list_estimate_tools', {}, 'GET /v1/estimate/tools'),
    call('create_webhook', hook, 'POST /v1/webhooks', { body: hook, key: 'hook' }),
    call('list_webhooks', {}, 'GET /v1/webhooks'),
    call('test_webhook', { id: ids.webhook }, `POST /v1/webhooks/${ids.webhook}/test`, { key: 'try' }),
    call('rotate_webhook_secret', { id: ids.webhook }, `POST /v1/webhooks/${ids.webhook}/rotate-secret`, {
      key: 'turn',
    }),
    call(
      'list_webhook_deliveries',
      { id: ids.webhook, success: true },
      `GET /v1/webhooks/${ids.webhook}/deliveries?success=true`,
    ),
    call(
      'list_webhook_deliveries',
      { id: ids.webhook, success: true },
      `GET /v1/webhooks/${ids.webhook}/deliveries?success=true`,
      { group: 'each' },
    ),
    call('replay_webhook', { id: ids.webhook, from: asOf }, `POST /v1/webhooks/${ids.webhook}/replay`, {
      body: { from: asOf },
      key: 'again',
    }),
    call('create_key', { name: 'of a test', scopes: ['nba'] }, 'POST /api/agent/keys', {
      body: { name: 'of a test', scopes: ['nba'] },
      key: 'key',
    }),
    call('create_link', sheet, 'POST /api/agent/links', { body: sheet, key: 'link' }),
    call('list_links', {}, 'GET /api/agent/links'),
    call('put_my_books', books, 'PUT /api/agent/books', { body: books }),
    call('get_my_books', {}, 'GET /api/agent/books'),
    call('list_keys', {}, 'GET /api/agent/keys'),
    call('get_usage', { days: 1 }, 'GET /api/agent/usage?days=1', { moving: ['days', 'endpoints', 'keys'] }),
    call('list_ledger', { after_id: 5 }, 'GET /api/agent/ledger?after_id=5'),
    call('list_ledger', { after_id: 5, limit: 1 }, 'GET /api/agent/ledger?after_id=5', { group: 'each' }),
    call('get_credits', {}, 'GET /api/agent/credits'),
    call('list_credit_packs', {}, 'GET /api/agent/credit-packs'),
    call('start_trial', trial, 'POST /api/agent/trial', { body: trial, moving: ['device_code', 'user_code'] }),
    call('finish_trial', unknown, 'POST /api/agent/trial/token', { body: unknown }),
    call('top_up_credits', { pack_id: 999_999 }, 'POST /api/agent/credits/topup', {
      body: { pack_id: 999_999 },
      key: 'pack',
    }),
  ];
}

/** Calls after which others would get another answer: each caller has things of its own to end. */
export const lastCalls = ({ ended }: KnownIds): readonly EveryCall[] => [
  { name: 'delete_webhook', arguments: { id: ended.webhook }, request: `DELETE /v1/webhooks/${ended.webhook}` },
  { name: 'delete_bet', arguments: { id: ended.bet }, request: `DELETE /v1/bets/${ended.bet}` },
  { name: 'delete_link', arguments: { id: ended.link }, request: `DELETE /api/agent/links/${ended.link}` },
  { name: 'revoke_key', arguments: { id: ended.key }, request: `DELETE /api/agent/keys/${ended.key}` },
];
