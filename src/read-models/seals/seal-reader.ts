import { DAY, parseDate } from '../../domain/primitives/time.ts';
import { type DaySealed, SEAL_STREAM, type Seal, sealOf } from '../../domain/proof/seal.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';

/** Reads the seals of a log. */
export interface SealReader {
  /** The newest one; null if no day is sealed. */
  newest(): Promise<Seal | null>;
  /** @param date YYYY-MM-DD. Null if the day is not sealed. */
  ofDate(date: string): Promise<Seal | null>;
  /** All of them, the oldest first. */
  all(): AsyncGenerator<Seal>;
}

/** Seals in one read. */
const PAGE = 200;

export function createSealReader(log: Pick<EventLog, 'readStream'>): SealReader {
  const read = async (fromRevision: number, limit: number): Promise<readonly Seal[]> =>
    (await log.readStream(SEAL_STREAM, { fromRevision, limit })).map(({ data }) => sealOf(data as DaySealed));

  return {
    async newest() {
      const [record] = await log.readStream(SEAL_STREAM, { direction: 'backwards', limit: 1 });
      return record ? sealOf(record.data as DaySealed) : null;
    },
    async ofDate(date) {
      const [first] = await read(0, 1);
      if (!first) return null;
      // One seal a day without a gap, so the place in the stream follows from the date.
      const place = (parseDate(date)! - parseDate(first.date)!) / DAY;
      if (place < 0) return null;
      const [seal] = await read(place, 1);
      return seal?.date === date ? seal : null;
    },
    async *all() {
      for (let from = 0; ; from += PAGE) {
        const page = await read(from, PAGE);
        yield* page;
        if (page.length < PAGE) return;
      }
    },
  };
}
