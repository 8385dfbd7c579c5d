import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { players } from '../../../projections/directory/players.ts';
import { rosters } from '../../../projections/directory/rosters.ts';
import { teams } from '../../../projections/directory/teams.ts';
import { propQuotes } from '../../../projections/odds/prop-quotes.ts';
import { events } from '../../../projections/sports-events/events.ts';
import { games } from '../../../projections/sports-events/games.ts';
import { playerBoxes } from '../../../projections/sports-events/player-boxes.ts';
import { teamStarts } from '../../../projections/sports-events/team-starts.ts';
import type { ExportName } from '../../api/exports/run-export.ts';
import { ONE_PARTITION } from '../../domain/event-sourcing/partition-of.ts';
import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { createLogFeed } from '../../event-log/subscription/log-feed.ts';
import { isGenerationOf } from '../../read-models/projector/folding/generations.ts';
import { createProjectionRunner } from '../../read-models/projector/projection-runner.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';

/** The read models that an export reads beside the log: from them it learns which other things to look at. */
const READ: Readonly<Partial<Record<ExportName | 'lab', readonly Projection[]>>> = {
  statistics: [games, players, rosters],
  forecasts: [events, games, players, rosters, playerBoxes, propQuotes],
  changes: [teamStarts],
  lab: [events, games, teams, players, rosters, playerBoxes, propQuotes, teamStarts],
};

export interface ExportReadModels {
  readonly store: ReadStore;
  close(): Promise<void>;
}

interface Parts {
  /** An export, or the runs of the lab. */
  readonly what: ExportName | 'lab';
  /** As it was at the end. */
  readonly log: EventLog;
  readonly end: Position;
  readonly store: ReadStore;
  /** Opens an empty store in a folder; absent: processes beside this one keep the read models up to date. */
  readonly openScratch?: ((folder: string) => ReadStore) | undefined;
  readonly now: () => number;
  readonly onProgress: (records: number) => void;
}

/**
 * The read models of an export. They may be ahead of the end of its log, but not behind it: what a command has taken in
 * without a server is folded into a temporary store.
 */
export async function openExportReadModels(parts: Parts): Promise<ExportReadModels> {
  const { what, store, openScratch } = parts;
  const needed = READ[what] ?? [];
  if (!openScratch || (await areUpToDate(store, needed, parts.end))) return { store, close: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'ledgerline-export-'));
  // Removes the temporary documents, however the command ends.
  const discard = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', discard);
  const scratch = openScratch(folder);
  const close = async () => {
    await scratch.close();
    process.off('exit', discard);
    discard();
  };
  try {
    await foldInto(scratch, needed, parts);
    return { store: scratch, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function areUpToDate(store: ReadStore, needed: readonly Projection[], end: Position): Promise<boolean> {
  for (const { name, version } of needed) {
    const generation = await store.activeGeneration(name);
    if (generation === null || !isGenerationOf(generation, version)) return false;
    if (isBefore(await store.checkpoint(name, generation, ONE_PARTITION), end)) return false;
  }
  return true;
}

async function foldInto(store: ReadStore, projections: readonly Projection[], { log, now, onProgress }: Parts) {
  const runner = createProjectionRunner({ log, feed: createLogFeed(log), store, projections, now });
  const timer = setInterval(() => {
    const [slowest] = runner.status().map(({ lag_events: lag }) => lag);
    onProgress(slowest ?? 0);
  }, 200);
  try {
    await runner.start();
    await runner.caughtUp();
    const stopped = runner.status().find(({ state }) => state === 'stopped');
    if (stopped) throw new Error(`the read model ${stopped.name} cannot be folded`);
  } finally {
    clearInterval(timer);
    await runner.stop();
  }
}
