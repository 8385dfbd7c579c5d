import { balances } from '../../../../projections/accounts/balances.ts';
import { odds } from '../../../../projections/odds/odds.ts';
import { events } from '../../../../projections/sports-events/events.ts';
import type { Projection } from '../../../../src/domain/event-sourcing/projection.ts';
import { createLogFeed } from '../../../../src/event-log/subscription/log-feed.ts';
import { createProjectionRunner } from '../../../../src/read-models/projector/projection-runner.ts';
import { createFaultyStore } from '../../../support/faulty/faulty-store.ts';
import type { Begun, Running } from './process.ts';

export const PROJECTIONS: readonly Projection[] = [events, odds, balances];

export interface ProjectorProcess extends Running {
  /** All projections reflect the log up to here. */
  isAt(position: bigint | null): boolean;
}

/** Folds the log into the read store. Where another one folds too, one of them stops, and whoever watches over it has
 *  to start it again. */
export function startProjector(begun: Begun): ProjectorProcess {
  const { world, settings, services, owner, far, log, fail } = begun;
  const write = (fields: object, text: string) => world.note(() => `${owner.name} ${text} ${describe(fields)}`);
  const runner = createProjectionRunner({
    log,
    feed: createLogFeed(log),
    store: createFaultyStore(services.store, far, { torn: settings.torn }),
    projections: PROJECTIONS,
    batchSize: settings.batchSize,
    cacheDocuments: settings.cacheDocuments,
    now: world.now,
    delay: world.delayOf(owner),
    setTimer: world.timerOf(owner, 'poll of the projector'),
    ...(world.lines && { logger: { info: write, warn: write, error: write } }),
  });
  runner.start().catch(fail);
  return {
    begun,
    isSound: () => runner.status().every(({ state }) => state !== 'stopped'),
    isAt(position) {
      const status = runner.status();
      return status.length > 0 && status.every((one) => one.state === 'live' && one.position === position);
    },
  };
}

const describe = (fields: object): string =>
  JSON.stringify(fields, (_, value) => (typeof value === 'bigint' ? String(value) : value));
