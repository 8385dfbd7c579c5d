import { withFields } from '../calls/operation/answer-fields.ts';
import type { Operation } from '../calls/operation/operation.ts';
import { isMcpTool } from '../calls/operation/tool-arguments.ts';
import { createKey } from './account/create-key.ts';
import { createLink } from './account/create-link.ts';
import { deleteLink } from './account/delete-link.ts';
import { estimateCost } from './account/estimate-cost.ts';
import { getCredits } from './account/get-credits.ts';
import { getUsage } from './account/get-usage.ts';
import { listCreditPacks } from './account/list-credit-packs.ts';
import { listEstimateTools } from './account/list-estimate-tools.ts';
import { listKeys } from './account/list-keys.ts';
import { listLedger } from './account/list-ledger.ts';
import { listLinks } from './account/list-links.ts';
import { getMyBooks, putMyBooks } from './account/my-books.ts';
import { revokeKey } from './account/revoke-key.ts';
import { topUpCredits } from './account/top-up-credits.ts';
import { finishTrial, startTrial } from './account/trial-operations.ts';
import { addBets } from './bets/add-bets.ts';
import { deleteBet } from './bets/delete-bet.ts';
import { listBets } from './bets/list-bets.ts';
import { summarizeBets } from './bets/summarize-bets.ts';
import { getHealth } from './catalogue/get-health.ts';
import { getStandings } from './catalogue/get-standings.ts';
import { listBookmakers } from './catalogue/list-bookmakers.ts';
import { listSeasons } from './catalogue/list-seasons.ts';
import { listSports } from './catalogue/list-sports.ts';
import { listChanges } from './changes/list-changes.ts';
import { streamChanges } from './changes/stream-changes.ts';
import { getPlayerEvents } from './directory/get-player-events.ts';
import { listMappings } from './directory/list-mappings.ts';
import { getPlayer, searchPlayers } from './directory/player-operations.ts';
import { getTeam, listTeams } from './directory/team-operations.ts';
import { batchGetEvents } from './events/batch-get-events.ts';
import { getEvent } from './events/get-event.ts';
import { getInjuries } from './events/get-injuries.ts';
import { getLiveScore } from './events/get-live-score.ts';
import { getStats } from './events/get-stats.ts';
import { listCorrections } from './events/list-corrections.ts';
import { listEvents } from './events/list-events.ts';
import { streamScores } from './events/stream-scores.ts';
import { createExperiment } from './experiments/create-experiment.ts';
import { endExperiment } from './experiments/end-experiment.ts';
import { getExperiment } from './experiments/get-experiment.ts';
import { listExperiments } from './experiments/list-experiments.ts';
import { getIntelligence } from './intelligence/get-intelligence.ts';
import { getMarketQuality } from './intelligence/get-market-quality.ts';
import { getProbabilities } from './intelligence/get-probabilities.ts';
import { getProjections } from './intelligence/get-projections.ts';
import { getRecord } from './intelligence/get-record.ts';
import { listForecasts } from './intelligence/list-forecasts.ts';
import { scanArbitrage } from './intelligence/scan-arbitrage.ts';
import { scanEv } from './intelligence/scan-ev.ts';
import { getFutures } from './odds/get-futures.ts';
import { getFuturesHistory } from './odds/get-futures-history.ts';
import { getOdds } from './odds/get-odds.ts';
import { getOddsHistory } from './odds/get-odds-history.ts';
import { getOddsSummary } from './odds/get-odds-summary.ts';
import { getPeriodOdds } from './odds/get-period-odds.ts';
import { getPlayerProps } from './odds/get-player-props.ts';
import { getSplits } from './odds/get-splits.ts';
import { getTeamProps } from './odds/get-team-props.ts';
import { queryEvents } from './questions/query-events.ts';
import { resolvePlayer } from './resolving/resolve-player.ts';
import { resolveTeam } from './resolving/resolve-team.ts';
import { getReceipt } from './slips/get-receipt.ts';
import { gradeSlip } from './slips/grade-slip.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { listWebhookDeliveries } from './webhooks/list-deliveries.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';
import { replayWebhook } from './webhooks/replay-webhook.ts';
import { rotateWebhookSecret } from './webhooks/rotate-secret.ts';
import { testWebhook } from './webhooks/test-webhook.ts';

const defined: readonly Operation[] = [
  getHealth,
  listSports,
  listBookmakers,
  listSeasons,
  getStandings,
  listEvents,
  queryEvents,
  getEvent,
  batchGetEvents,
  getLiveScore,
  streamScores,
  getOdds,
  getOddsHistory,
  getFutures,
  getFuturesHistory,
  getProjections,
  getOddsSummary,
  getPeriodOdds,
  getTeamProps,
  getPlayerProps,
  getSplits,
  getStats,
  getInjuries,
  listCorrections,
  getIntelligence,
  scanEv,
  scanArbitrage,
  listForecasts,
  getProbabilities,
  getRecord,
  getMarketQuality,
  listChanges,
  streamChanges,
  listTeams,
  getTeam,
  searchPlayers,
  getPlayer,
  getPlayerEvents,
  resolveTeam,
  resolvePlayer,
  listMappings,
  gradeSlip,
  getReceipt,
  addBets,
  listBets,
  summarizeBets,
  deleteBet,
  createExperiment,
  listExperiments,
  getExperiment,
  endExperiment,
  estimateCost((name) => tools.get(name)),
  listEstimateTools(() => [...tools.keys()]),
  createWebhook,
  listWebhooks,
  deleteWebhook,
  listWebhookDeliveries,
  testWebhook,
  rotateWebhookSecret,
  replayWebhook,
  listKeys,
  createKey,
  revokeKey,
  getCredits,
  listCreditPacks,
  topUpCredits,
  getUsage,
  listLedger,
  createLink(() => operations),
  listLinks,
  deleteLink,
  getMyBooks,
  putMyBooks,
  startTrial,
  finishTrial,
];

/** All operations, in the order of the documentation. */
export const operations: readonly Operation[] = defined.map(withFields);

const tools: ReadonlyMap<string, Operation> = new Map(
  operations.filter(isMcpTool).map((operation) => [operation.name, operation]),
);
