import { createCreditBook } from '../../src/accounts/credit-book.ts';
import { createAccountServices } from '../../src/accounts/services.ts';
import type { TopUp } from '../../src/accounts/top-ups.ts';
import type { EventLog } from '../../src/log/event-log.ts';
import type { KeyMaker } from '../../src/registry/keys.ts';
import { DEFAULT_PACKS, DEFAULT_PLANS, type Pack, type Plan } from '../../src/settings/plans.ts';
import type { ReadStore } from '../../src/store/read-store.ts';

export interface AccountServicesOptions {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly keyMaker: KeyMaker;
  readonly onError: (error: unknown) => void;
  readonly plans?: Readonly<Record<string, Plan>>;
  readonly packs?: readonly Pack[];
  /** Nothing can be bought unless told. */
  readonly topUp?: TopUp;
}

/** What is behind `/api/agent`, as the server composes it. */
export function accountServices(options: AccountServicesOptions) {
  const { log, store, keyMaker, onError, plans = DEFAULT_PLANS, packs = DEFAULT_PACKS, topUp = noShop } = options;
  const credits = createCreditBook({
    log,
    store,
    now: keyMaker.now,
    later: (callback, milliseconds) => void setTimeout(callback, milliseconds),
    onError,
  });
  return { credits, plans, accounts: createAccountServices({ credits, keyMaker, plans, packs, topUp }) };
}

const noShop = () => Promise.reject(new Error('nothing can be bought here'));
