import type { Credits, Hold } from '../../../src/accounts/credits/credits.ts';
import type { FaultyNetwork } from './faulty-network.ts';

/** Credits that another process keeps: each call takes a while, and its answer may be lost. */
export function createFaultyCredits(credits: Credits, far: FaultyNetwork): Credits {
  /** One after the other is sent, and comes there in this order, as on one connection. */
  let last: Promise<unknown> = Promise.resolve();
  const sent = (name: string): Promise<void> => {
    const arrived = last.then(() => far.call(name, async () => {}));
    last = arrived.catch(() => {});
    return arrived;
  };
  const ask = async <T>(name: string, effect: () => T | Promise<T>): Promise<T> => {
    await sent(name);
    return far.call(`${name}: answer`, async () => effect());
  };
  const farHold = (hold: Hold): Hold => ({
    charge: (call, amount, at) => ask('charge', () => hold.charge(call, amount, at)),
    release: () => ask('release', () => hold.release()),
  });
  return {
    reserve: (terms, most, at, keyCap) =>
      ask('reserve', async () => farHold(await credits.reserve(terms, most, at, keyCap))),
    remaining: (terms, at) => ask('remaining', () => credits.remaining(terms, at)),
    balance: (terms) => ask('balance', () => credits.balance(terms)),
    ledger: (terms) => ask('ledger', () => credits.ledger(terms)),
    record: (terms, decide) => ask('record', () => credits.record(terms, decide)),
    note(accountId, call) {
      sent('note').then(
        () => credits.note(accountId, call),
        () => {},
      );
    },
    flush: () => ask('flush', () => credits.flush()),
  };
}
