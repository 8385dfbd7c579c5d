import { DAY, formatDate, formatTime, parseDate, SECOND } from '../../domain/primitives/time.ts';
import { createDaySealed, type DaySealed, SEAL_STREAM, type Seal, sealOf } from '../../domain/proof/seal.ts';
import { ConflictError, type EventLog, type ExpectedRevision } from '../../event-log/port/event-log.ts';
import { unsealedDays } from '../../read-models/seals/walk-days.ts';

/** How long after midnight (UTC) a day is sealed: what was being written then has come. */
const AFTER_MIDNIGHT = 10 * SECOND;

/** When the day of this moment can be sealed: milliseconds. */
export const dayIsSealedAt = (now: number): number =>
  parseDate(formatDate(now - AFTER_MIDNIGHT))! + DAY + AFTER_MIDNIGHT;

/** Seals the days of a log. */
export interface DaySealer {
  /**
   * Seals every day that is over and is not sealed. The newest seal is read once, at the first call; then this one is
   * the newest until another process turns out to have sealed too.
   * @param now milliseconds
   * @returns the new seals, the oldest first
   */
  sealDue(now: number, signal: AbortSignal): Promise<readonly Seal[]>;
}

/** A log holds one seal a day at most. Another process may be first so often in one call. */
const MAX_CONFLICTS = 10;

interface NewestSeal {
  readonly seal: Seal | null;
  /** Revision of its record; `none`: the stream is empty. */
  readonly expected: Extract<ExpectedRevision, number | 'none'>;
}

export function createDaySealer(log: EventLog): DaySealer {
  let newest: NewestSeal | undefined;

  async function readNewest(): Promise<NewestSeal> {
    const [record] = await log.readStream(SEAL_STREAM, { direction: 'backwards', limit: 1 });
    return record
      ? { seal: sealOf(record.data as DaySealed), expected: record.revision }
      : { seal: null, expected: 'none' };
  }

  /** @returns whether nothing is left to seal; false: another process has sealed the next day */
  async function sealFrom(now: number, signal: AbortSignal, sealed: Seal[]): Promise<boolean> {
    newest ??= await readNewest();
    const today = formatDate(now - AFTER_MIDNIGHT);
    for await (const seal of unsealedDays(log, newest.seal, today, signal)) {
      const expected: NewestSeal['expected'] = newest.expected;
      try {
        await log.append(SEAL_STREAM, [createDaySealed({ ...seal, at: formatTime(now) })], expected);
      } catch (error) {
        newest = undefined;
        if (error instanceof ConflictError) return false;
        throw error;
      }
      newest = { seal, expected: expected === 'none' ? 0 : expected + 1 };
      sealed.push(seal);
    }
    return true;
  }

  return {
    async sealDue(now, signal) {
      const sealed: Seal[] = [];
      for (let conflicts = 0; conflicts < MAX_CONFLICTS && !(await sealFrom(now, signal, sealed)); conflicts++);
      return sealed;
    },
  };
}
