import { gameRecords } from '../../projections/game-records.ts';
import { type GameDocument, games } from '../../projections/games.ts';
import type { AsOf } from '../as-of/as-of.ts';
import type { OperationContext } from '../calls/operation.ts';
import { foldOf } from '../domain/fold.ts';
import { asObserved, compareObserved } from '../domain/observed-order.ts';

/**
 * A game as it was known at a moment, or at two: of what the server knew at a recorded one, what had been observed by
 * the other. Undefined where nothing was known.
 */
export async function gameThen(
  { histories }: Pick<OperationContext, 'histories'>,
  key: string,
  moment: AsOf,
  observed?: AsOf,
): Promise<GameDocument | undefined> {
  if (!observed) return (await histories.fold(games, key, moment)).get(key);
  const records = (await histories.fold(gameRecords, key, moment)).get(key)?.records ?? [];
  const byPlace = new Map(records.map((record) => [placeOf(record.stream, record.revision), record]));
  const inOrder = records
    .map((record) =>
      asObserved(record, 'of' in record.data ? byPlace.get(placeOf(record.stream, record.data.of)) : undefined),
    )
    .filter(({ at }) => at <= observed.at)
    .sort(compareObserved);
  const fold = foldOf<GameDocument>(games);
  const documents = new Map<string, GameDocument>();
  for (const { record } of inOrder) fold.into(documents, record);
  return documents.get(key);
}

const placeOf = (stream: string, revision: number): string => `${revision} ${stream}`;
