import type { Credits } from '../../../../src/accounts/credits/credits.ts';
import { createLocalCredits } from '../../../../src/accounts/credits/local-credits.ts';
import { AnswerLost } from '../../../support/faulty/faulty-network.ts';
import { createFaultyStore } from '../../../support/faulty/faulty-store.ts';
import { EPOCH } from './messages.ts';
import type { Begun, Running } from './process.ts';

export interface CreditsProcess extends Running {
  readonly credits: Credits;
}

/**
 * The one process that keeps the credits: a credit book is alone on its ledgers, so two of them never live at once, and
 * what one has under way ends with it.
 */
export function startCredits(begun: Begun): CreditsProcess {
  const { world, services, owner, far, log } = begun;
  const credits = createLocalCredits({
    log,
    store: createFaultyStore(services.store, far),
    writerId: owner.name,
    now: () => EPOCH + world.now(),
    steadyNow: world.now,
    later: (callback, milliseconds) => void world.schedule(owner, 'later in the ledger', milliseconds, callback),
    isUnclear: (error) => error instanceof AnswerLost,
    onError: (error) => world.note(() => `${owner.name}: ${error}`),
    onTrouble: (error) => world.note(() => `${owner.name}: ${error}`),
  });
  return { begun, credits, isSound: () => true };
}
