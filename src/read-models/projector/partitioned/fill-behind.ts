import type { Advance } from '../advance.ts';
import { type FillOptions, fill } from '../filler.ts';
import { isRead } from '../projection-lane.ts';
import type { Track } from './track.ts';

export interface BehindFillerParts extends Pick<FillOptions, 'log' | 'batchSize' | 'stretchRecords' | 'signal'> {
  readonly tracks: () => readonly Track[];
  readonly newAdvance: () => Advance;
  readonly retrying: <T>(work: () => Promise<T>) => Promise<T>;
  /** Goes by what the store holds now, when some have been filled. */
  readonly look: () => Promise<void>;
}

/** Fills what lags behind the feed from the log, until nothing does. @returns undefined where that goes on already */
export function createBehindFiller(parts: BehindFillerParts): () => Promise<void> | undefined {
  let isFilling = false;
  return () => {
    if (isFilling || parts.signal.aborted) return undefined;
    isFilling = true;
    return fillAll(parts).finally(() => {
      isFilling = false;
    });
  };
}

async function fillAll({ tracks, newAdvance, retrying, look, ...filling }: BehindFillerParts): Promise<void> {
  // Lanes join in the turn of their tracks, of which the caller has one.
  await Promise.resolve();
  for (;;) {
    const behind = tracks().flatMap((track) => track.behind);
    if (behind.length === 0) return;
    // What is read comes first, and with it what may take over at any moment.
    const first = behind.filter((lane) => isRead(lane) || lane.staysBelow === undefined);
    const lanes = first.some(isRead) ? first : behind;
    const filler = { ...filling, advance: newAdvance(), limit: () => undefined };
    const filled = tracks().filter((track) => track.behind.some((lane) => lanes.includes(lane)));
    await retrying(() => fill(lanes, filler));
    for (const track of filled) {
      const own = lanes.filter((lane) => track.behind.includes(lane));
      // Also where all of them were lost meanwhile: no record may come by which the track finds that out.
      await track.join(own, async () => {
        if (own.length > 0) await retrying(() => fill(own, filler));
      });
    }
    await look();
  }
}
