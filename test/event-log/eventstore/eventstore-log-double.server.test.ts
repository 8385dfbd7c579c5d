import { afterAll, beforeAll, describe } from 'vitest';
import { type EventStoreLogOptions, openEventStoreLog } from '../../../src/event-log/eventstore/eventstore-log.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import { DOUBLE_KINDS, type DoubleKind } from '../../../src/server/engines/event-log-double/double-kind.ts';
import { type StartedDouble, startDoubleProcess } from '../../server/engines/started-double.ts';
import { type ContractLogOptions, eventLogContract } from '../port/event-log.contract.ts';
import { recordFeedContract } from '../subscription/record-feed.contract.ts';

describe.each(DOUBLE_KINDS)('on the double of EventStoreDB %s,', (kind: DoubleKind) => {
  let double: StartedDouble;
  beforeAll(async () => {
    double = await startDoubleProcess(kind);
  });
  afterAll(() => double.stop());

  /** Sets the leader's clock to the test's time before each append. */
  function withClock(log: EventLog, now: () => number): EventLog {
    let told: number | undefined;
    function tell(): void {
      if (now() === told) return;
      told = now();
      double.control({ created: told });
    }
    return {
      ...log,
      append: (...given) => {
        tell();
        return log.append(...given);
      },
      appendAll: (...given) => {
        tell();
        return log.appendAll(...given);
      },
    };
  }

  async function open({ now, upcast }: ContractLogOptions): Promise<EventLog> {
    const options: EventStoreLogOptions = { url: double.url, ...(upcast ? { upcast } : {}) };
    // The contract starts its time anew with each log, but the clock of one engine never goes back.
    double.forget();
    return withClock(openEventStoreLog(options), now);
  }

  eventLogContract('EventStoreDB (double)', open, {
    skip: [
      {
        reason: 'each append of a call goes out by itself',
        tests: ['appends to several streams in order and with one recorded time'],
      },
    ],
  });

  recordFeedContract('a log in EventStoreDB (double)', async () => {
    double.forget();
    const log = openEventStoreLog({ url: double.url });
    await log.ping();
    return { log, feed: createLogFeed(log) };
  });
});
