import { z } from 'zod';
import { RpcError } from './json-rpc.ts';

/**
 * Which tools a client is offered: a model pays for every tool that it reads. What is not listed can still be called.
 * `core` answers most questions and stays below 3,000 tokens, of 4 characters each; every tool is in one set at least.
 */
export const TOOLSETS = {
  core: [
    'list_events',
    'query_events',
    'get_event',
    'get_live_score',
    'get_odds',
    'get_odds_history',
    'get_injuries',
    'get_intelligence',
    'search_players',
    'resolve_team',
    'grade_slip',
    'get_credits',
  ],
  odds: [
    'list_events',
    'query_events',
    'get_odds',
    'get_odds_history',
    'get_odds_summary',
    'get_period_odds',
    'get_team_props',
    'get_player_props',
    'get_splits',
    'get_futures',
    'get_futures_history',
    'list_bookmakers',
    'scan_ev',
    'scan_arbitrage',
    'get_market_quality',
  ],
  stats: [
    'list_sports',
    'list_seasons',
    'get_standings',
    'list_events',
    'query_events',
    'batch_get_events',
    'get_live_score',
    'get_stats',
    'get_injuries',
    'list_corrections',
    'list_changes',
    'list_teams',
    'get_team',
    'search_players',
    'get_player',
    'get_player_events',
    'resolve_team',
    'resolve_player',
    'list_mappings',
  ],
  betting: [
    'query_events',
    'get_event',
    'get_odds_summary',
    'get_splits',
    'get_intelligence',
    'get_probabilities',
    'scan_ev',
    'scan_arbitrage',
    'list_forecasts',
    'get_projections',
    'get_record',
    'resolve_team',
    'resolve_player',
    'grade_slip',
    'get_grade_receipt',
    'add_bets',
    'list_bets',
    'summarize_bets',
    'delete_bet',
    'create_experiment',
    'list_experiments',
    'get_experiment',
    'end_experiment',
  ],
  account: [
    'get_health',
    'estimate_cost',
    'get_credits',
    'list_credit_packs',
    'list_keys',
    'create_webhook',
    'list_webhooks',
    'delete_webhook',
    'list_webhook_deliveries',
    'test_webhook',
    'rotate_webhook_secret',
    'replay_webhook',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ToolsetName = keyof typeof TOOLSETS;
const NAMES = Object.keys(TOOLSETS) as ToolsetName[];
export const ALL_TOOLS = 'all';

/** What the address of a request says about the list of tools. */
export interface ToolView {
  /** Names of the listed tools; undefined: all. */
  readonly names: ReadonlySet<string> | undefined;
  /** Short descriptions and schemas, and answers of bounded size. A legacy client that names no set gets long ones. */
  readonly isShort: boolean;
  readonly hasOutputSchemas: boolean;
  /** Equal for equal lists. */
  readonly key: string;
}

const schemasParameter = z.enum(['full']);

/**
 * Reads `tools=core,odds` and `schemas=full` of a request's address.
 * @param search the query string
 * @throws RpcError if a set is unknown
 */
export function readToolView(search: string, isModern: boolean, id: string | number | null): ToolView {
  const query = search === '' ? undefined : new URLSearchParams(search);
  const given = query?.get('tools') ?? undefined;
  const hasOutputSchemas = schemasParameter.safeParse(query?.get('schemas')).success;
  if (given === undefined && !isModern) return LEGACY_VIEW;
  const sets = (given ?? 'core').split(',').map((name) => name.trim());
  const unknown = sets.find((name) => name !== ALL_TOOLS && !NAMES.includes(name as ToolsetName));
  if (unknown !== undefined) {
    const known = [...NAMES, ALL_TOOLS].join(', ');
    throw new RpcError(-32602, `tools: there is no set ${JSON.stringify(unknown.slice(0, 40))}, only ${known}.`, {
      id,
    });
  }
  const wanted = [...new Set(sets)].sort();
  const names = wanted.includes(ALL_TOOLS)
    ? undefined
    : new Set(wanted.flatMap((name): readonly string[] => TOOLSETS[name as ToolsetName]));
  const key = `${names ? wanted.join() : ALL_TOOLS} ${hasOutputSchemas}`;
  return { names, isShort: true, hasOutputSchemas, key };
}

const LEGACY_VIEW: ToolView = { names: undefined, isShort: false, hasOutputSchemas: true, key: 'legacy' };
