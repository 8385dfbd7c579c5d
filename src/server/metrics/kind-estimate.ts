import { HOUR } from '../../domain/primitives/time.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { LogKind } from '../../event-log/sqlite/log-kinds.ts';

interface KindEstimateParts {
  readonly log: Pick<EventLog, 'head' | 'countBetween'>;
  readonly estimate: () => Promise<readonly LogKind[]>;
  /** Milliseconds. */
  readonly steadyNow: () => number;
}

const KEPT_FOR = HOUR;
/** A log that has grown by this factor is looked at sooner. */
const GROWTH = 1.1;

/** What each kind of fact takes in the log. The estimate is kept for an hour, or until the log has grown by a tenth. */
export function createKindEstimate({ log, estimate, steadyNow }: KindEstimateParts): () => Promise<readonly LogKind[]> {
  let kept: readonly LogKind[] = [];
  let keptSince = Number.NEGATIVE_INFINITY;
  let recordsThen = 0;
  return async () => {
    const records = log.countBetween(null, await log.head()) ?? 0;
    if (steadyNow() - keptSince >= KEPT_FOR || records > recordsThen * GROWTH) {
      kept = await estimate();
      keptSince = steadyNow();
      recordsThen = records;
    }
    return kept;
  };
}
