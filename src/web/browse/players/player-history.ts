import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { readPlayer } from '../../../api/operations/directory/player-operations.ts';
import { type PastBox, readPastBoxes } from '../../../api/operations/intelligence/past-boxes.ts';
import { foundPlayer } from '../../../api/operations/shared/read-player-finder.ts';
import { rulesOf } from '../../../domain/catalogue/sport-rules.ts';
import { statValue } from '../../../domain/statistics/stat-values.ts';

/** A player's box scores before a moment in milliseconds, the newest first. */
export async function readPlayerBoxes(
  context: OperationContext,
  playerId: number,
  before: number,
): Promise<readonly PastBox[]> {
  const document = await readPlayer(context, playerId);
  if (rulesOf(document.sport).entry === 'player') return [];
  const player = { id: playerId, name: document.facts.full_name, found: foundPlayer(document) };
  const boxes = await readPastBoxes(context, [player], { sport: document.sport, before, moments: [], asOf: undefined });
  return [...(boxes.get(player) ?? [])].sort((a, b) => b.startsAt - a.startsAt);
}

/** The values of a statistic in the newest games that have it, the newest first. */
export const lastValues = (sport: string, boxes: readonly PastBox[], stat: string, count: number): number[] =>
  boxes.flatMap(({ carried, stats }) => statValue(sport, carried, stats, stat) ?? []).slice(0, count);
