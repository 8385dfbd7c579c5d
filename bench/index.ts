import { agents } from './agents/agents.ts';
import { append } from './append.ts';
import { asOf } from './as-of.ts';
import type { Benchmark } from './benchmark.ts';
import { changes } from './changes.ts';
import { cluster } from './cluster.ts';
import { clusterLag } from './cluster-lag.ts';
import { connectors } from './connectors.ts';
import { eventBatch } from './event-batch.ts';
import { eventDetail } from './event-detail.ts';
import { eventList } from './event-list.ts';
import { exporting } from './export.ts';
import { fanOut } from './fan-out.ts';
import { finalMinute } from './final-minute.ts';
import { forecasts } from './forecasts.ts';
import { idle } from './idle.ts';
import { importing } from './import.ts';
import { inPlay } from './in-play.ts';
import { intelligence } from './intelligence.ts';
import { lab } from './lab.ts';
import { largeFile } from './large-file.ts';
import { learning } from './learning.ts';
import { liveOdds } from './live-odds.ts';
import { livePage } from './live-page.ts';
import { longEvent } from './long-event.ts';
import { mcp } from './mcp.ts';
import { merge } from './merge.ts';
import { metering } from './metering.ts';
import { newEvents } from './new-events.ts';
import { oddsScreen } from './odds-screen.ts';
import { pages } from './pages.ts';
import { playerForecasts } from './player-forecasts.ts';
import { playerUsageFit } from './player-usage-fit.ts';
import { rebuild } from './rebuild.ts';
import { referenceWeights } from './reference-weights.ts';
import { resolve } from './resolve.ts';
import { restore } from './restore.ts';
import { scopeForecasts } from './scope-forecasts.ts';
import { seasonChancesBenchmark } from './season-chances.ts';
import { slips } from './slips.ts';
import { soak } from './soak.ts';
import { start } from './start.ts';
import { statistics } from './statistics.ts';
import { stillReaders } from './still-readers.ts';
import { stream } from './stream.ts';
import { suspects } from './suspects.ts';
import { v8Flags } from './v8-flags.ts';
import { waitingMessages } from './waiting-messages.ts';
import { webhooks } from './webhooks.ts';

/** In the order in which they run. */
export const benchmarks: readonly Benchmark[] = [
  append,
  importing,
  largeFile,
  newEvents,
  waitingMessages,
  rebuild,
  restore,
  exporting,
  lab,
  eventDetail,
  eventBatch,
  eventList,
  mcp,
  agents,
  asOf,
  slips,
  start,
  idle,
  statistics,
  resolve,
  stream,
  changes,
  fanOut,
  stillReaders,
  liveOdds,
  soak,
  longEvent,
  merge,
  metering,
  pages,
  oddsScreen,
  livePage,
  webhooks,
  finalMinute,
  v8Flags,
  forecasts,
  seasonChancesBenchmark,
  inPlay,
  learning,
  scopeForecasts,
  playerForecasts,
  playerUsageFit,
  intelligence,
  referenceWeights,
  suspects,
  connectors,
  cluster,
  clusterLag,
];
