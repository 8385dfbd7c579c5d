import { formatDate, formatTime, SECOND } from '../../domain/primitives/time.ts';
import { createDaySealed, SEAL_STREAM, type Seal } from '../../domain/proof/seal.ts';
import { ConflictError, type EventLog } from '../../event-log/port/event-log.ts';
import { createSealReader } from '../../read-models/seals/seal-reader.ts';
import { unsealedDays } from '../../read-models/seals/walk-days.ts';

/** How long after midnight (UTC) a day is sealed: what was being written then has come. */
const AFTER_MIDNIGHT = 10 * SECOND;

/** Seals the days of a log. */
export interface DaySealer {
  /**
   * Seals every day that is over and is not sealed.
   * @param now milliseconds
   * @returns the new seals, the oldest first
   */
  sealDue(now: number, signal: AbortSignal): Promise<readonly Seal[]>;
}

export function createDaySealer(log: EventLog): DaySealer {
  const seals = createSealReader(log);
  /** The day up to which this log is known to have nothing more to seal. */
  let checkedOn: string | undefined;

  return {
    async sealDue(now, signal) {
      const today = formatDate(now - AFTER_MIDNIGHT);
      if (checkedOn === today) return [];
      const last = await seals.newest();
      const sealed: Seal[] = [];
      const [record] = await log.readStream(SEAL_STREAM, { direction: 'backwards', limit: 1 });
      for await (const seal of unsealedDays(log, last, today, signal)) {
        const expected = record ? record.revision + sealed.length : sealed.length === 0 ? 'none' : sealed.length - 1;
        try {
          await log.append(SEAL_STREAM, [createDaySealed({ ...seal, at: formatTime(now) })], expected);
        } catch (error) {
          // Another process has sealed this day. The next check begins behind its seal.
          if (error instanceof ConflictError) return sealed;
          throw error;
        }
        sealed.push(seal);
      }
      checkedOn = today;
      return sealed;
    },
  };
}
