import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers';
import { afterAll, beforeAll, describe } from 'vitest';
import { openEventStoreLog } from '../../../src/event-log/eventstore/eventstore-log.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { type ContractLogOptions, eventLogContract } from '../port/event-log.contract.ts';
import { partOfLog } from './part-of-log.ts';

// The contract on EventStoreDB itself: on the server that EVENT_LOG_URL names, if set, and on one in a container, if
// containers are available. Each test writes to streams of its own, and reads from where it began.

const IMAGE = 'eventstore/eventstore:24.10.4-jammy';
const PORT = 2113;
const given = process.env['EVENT_LOG_URL'];
const hasContainers = await getContainerRuntimeClient().then(
  () => true,
  () => false,
);

/** These tests set the clock of the log, which is the engine's own here. */
const OF_THE_CLOCK = [
  'is ISO 8601 with milliseconds and never decreases',
  'backwards, from the end or from a revision',
  'until a time, which is included',
  'since a time: what was recorded then or later',
];
const SKIP = [
  { reason: 'the clock is the engine’s', tests: OF_THE_CLOCK },
  {
    reason: 'each append of a call goes out by itself',
    tests: ['appends to several streams in order and with one recorded time'],
  },
];

function openerOn(url: () => string): (options: ContractLogOptions) => Promise<EventLog> {
  return ({ upcast }) => {
    const log = openEventStoreLog({ url: url(), ...(upcast ? { upcast } : {}) });
    return partOfLog(log, `test-${crypto.randomUUID()}.`);
  };
}

describe.skipIf(given === undefined)(`EventStoreDB at EVENT_LOG_URL${given === undefined ? ' (not set)' : ''}`, () => {
  eventLogContract(
    'EventStoreDB at EVENT_LOG_URL',
    openerOn(() => given!),
    { skip: SKIP },
  );
});

describe.skipIf(!hasContainers)(
  `EventStoreDB in a container${hasContainers ? '' : ' (no engine of containers)'}`,
  () => {
    let container: StartedTestContainer;
    beforeAll(async () => {
      container = await new GenericContainer(IMAGE)
        .withEnvironment({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_MEM_DB: 'true' })
        .withExposedPorts(PORT)
        .withWaitStrategy(Wait.forHttp('/health/live', PORT).forStatusCode(204))
        .start();
    }, 300_000);
    afterAll(async () => {
      await container?.stop();
    });

    const url = () => `esdb://${container.getHost()}:${container.getMappedPort(PORT)}?tls=false`;
    eventLogContract('EventStoreDB in a container', openerOn(url), { skip: SKIP });
  },
);
