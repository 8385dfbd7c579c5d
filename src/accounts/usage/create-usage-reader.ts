import { usage } from '../../../projections/usage.ts';
import { usageDays } from '../../../projections/usage-days.ts';
import type { Projection } from '../../domain/projection.ts';
import { DAY } from '../../domain/time.ts';
import { Unavailable } from '../../domain/unavailable.ts';
import { breathe } from '../../platform/time/breathe.ts';
import { isBuildOf } from '../../read-models/projector/builds.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { countedDays } from './counted-days.ts';
import { newestCalls, type PlacedCall, type SelectedCalls, usedCall } from './newest-calls.ts';
import type { UsageFilter, UsageReader } from './usage-reader.ts';

export interface UsageReaderParts {
  readonly store: Pick<ReadStore, 'find' | 'getMany' | 'activeBuild'>;
  readonly now: () => number;
}

/** Calls of a page. */
const PAGE = 50;
/** Calls that are given in one go. */
const AT_ONCE = 500;
/** Seconds. */
const BUILT_AFTER = 10;

export function createUsageReader({ store, now }: UsageReaderParts): UsageReader {
  /** After an upgrade documents of an earlier version are read until the new ones are there: they tell other things. */
  async function assertBuilt({ name, version }: Projection): Promise<void> {
    if (isBuildOf(await store.activeBuild(name), version)) return;
    throw new Unavailable('The usage of accounts is being put together. Try again in a moment.', BUILT_AFTER);
  }

  async function* selected(filter: UsageFilter) {
    await assertBuilt(usage);
    yield* newestCalls(store, selectionOf(filter, now()));
  }

  return {
    async page(filter, page) {
      const first = (page - 1) * PAGE;
      const calls: PlacedCall[] = [];
      let passed = 0;
      for await (const some of selected(filter)) {
        // One more tells whether there is a next page.
        calls.push(...some.slice(Math.max(0, first - passed), Math.max(0, first + PAGE + 1 - passed)));
        passed += some.length;
        if (calls.length > PAGE) break;
      }
      return { calls: calls.slice(0, PAGE).map(usedCall), hasMore: calls.length > PAGE };
    },
    async *all(filter, most) {
      let left = most;
      for await (const some of selected(filter)) {
        for (const [index, call] of some.slice(0, left).entries()) {
          // Who takes them may do so without ever waiting.
          if (index % AT_ONCE === AT_ONCE - 1) await breathe();
          yield usedCall(call);
        }
        left -= some.length;
        if (left <= 0) return;
      }
    },
    async analytics(accountId, days) {
      await assertBuilt(usage);
      await assertBuilt(usageDays);
      return countedDays(store, accountId, days, Math.floor(now() / DAY) * DAY);
    },
  };
}

const selectionOf = ({ accountId, days, keyId, status, q }: UsageFilter, now: number): SelectedCalls => ({
  accountId,
  since: now - days * DAY,
  keyId,
  statuses: statusesOf(status),
  text: q?.toLowerCase(),
});

function statusesOf(status: UsageFilter['status']): SelectedCalls['statuses'] {
  if (typeof status !== 'string') return status === undefined ? undefined : [status, status];
  const hundred = Number(status[0]) * 100;
  return [hundred, hundred + 99];
}
