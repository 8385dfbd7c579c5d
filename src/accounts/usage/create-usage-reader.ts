import { usage } from '../../../projections/accounts/usage.ts';
import { usageDays } from '../../../projections/accounts/usage-days.ts';
import type { Projection } from '../../domain/event-sourcing/projection.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import { DAY } from '../../domain/primitives/time.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { isGenerationOf } from '../../read-models/projector/folding/generations.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { type CallSelection, type IndexedCall, readNewestCalls, toUsageCall } from './newest-calls.ts';
import { readUsageAnalytics } from './usage-analytics.ts';
import type { UsageFilter, UsageReader } from './usage-reader.ts';

interface UsageReaderParts {
  readonly store: Pick<ReadStore, 'find' | 'getMany' | 'activeGeneration'>;
  readonly now: () => number;
}

/** Calls per page. */
const PAGE = 100;
/** Calls given without a pause for the event loop. */
const CALLS_PER_TURN = 500;
/** Seconds. */
const RETRY_AFTER_SECONDS = 10;

export function createUsageReader({ store, now }: UsageReaderParts): UsageReader {
  /** After an upgrade the documents of an earlier version have other content. Wait until the new ones are built. */
  async function assertBuilt({ name, version }: Projection): Promise<void> {
    if (isGenerationOf(await store.activeGeneration(name), version)) return;
    throw new UnavailableError(
      'The usage of accounts is being put together. Try again in a moment.',
      RETRY_AFTER_SECONDS,
    );
  }

  async function* selected(filter: UsageFilter) {
    await assertBuilt(usage);
    yield* readNewestCalls(store, selectionOf(filter, now()));
  }

  return {
    async page(filter, page) {
      const first = (page - 1) * PAGE;
      const calls: IndexedCall[] = [];
      let passed = 0;
      for await (const some of selected(filter)) {
        // One call more tells whether there is a next page.
        calls.push(...some.slice(Math.max(0, first - passed), Math.max(0, first + PAGE + 1 - passed)));
        passed += some.length;
        if (calls.length > PAGE) break;
      }
      return { calls: calls.slice(0, PAGE).map(toUsageCall), hasMore: calls.length > PAGE };
    },
    async *all(filter, limit) {
      let left = limit;
      for await (const some of selected(filter)) {
        for (const [index, call] of some.slice(0, left).entries()) {
          // The consumer may never wait itself, so yield to the event loop here.
          if (index % CALLS_PER_TURN === CALLS_PER_TURN - 1) await yieldToEventLoop();
          yield toUsageCall(call);
        }
        left -= some.length;
        if (left <= 0) return;
      }
    },
    async analytics(accountId, days) {
      await assertBuilt(usage);
      await assertBuilt(usageDays);
      return readUsageAnalytics(store, accountId, days, Math.floor(now() / DAY) * DAY);
    },
  };
}

const selectionOf = ({ accountId, days, keyId, status, q }: UsageFilter, now: number): CallSelection => ({
  accountId,
  since: now - days * DAY,
  keyId,
  statuses: statusRangeOf(status),
  text: q?.toLowerCase(),
});

function statusRangeOf(status: UsageFilter['status']): CallSelection['statuses'] {
  if (typeof status !== 'string') return status === undefined ? undefined : [status, status];
  const hundred = Number(status[0]) * 100;
  return [hundred, hundred + 99];
}
