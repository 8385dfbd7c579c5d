import { decideTopUp } from '../../../../commands/credit-decisions.ts';
import { ApiError } from '../../../../src/api/calls/api-errors.ts';
import type { AccountTerms } from '../../../../src/domain/accounts/credit-terms.ts';
import { createFaultyCredits } from '../../../support/faulty/faulty-credits.ts';
import { AnswerLost, type FaultyNetwork } from '../../../support/faulty/faulty-network.ts';
import type { World } from '../world.ts';
import type { CreditsProcess } from './credits-process.ts';
import { EPOCH } from './messages.ts';

/** Few, so that calls wait for what others hold back, and are refused. */
export const INITIAL_CREDITS = 3;

export const termsOf = (accountId: number): AccountTerms => ({
  accountId,
  createdAt: EPOCH,
  plan: 'payg',
  initialCredits: INITIAL_CREDITS,
  monthlyCredits: 0,
  creditsExpireHours: null,
  dailyCap: null,
  order: null,
});

/** What clients know of what they paid. */
export interface Known {
  /** Credits of each answered call, by request id, and its account. */
  readonly charged: Map<string, { readonly accountId: number; readonly credits: number }>;
  /** Packs whose purchase was confirmed. */
  readonly bought: Map<string, number>;
}

/** Somebody who makes calls that cost credits. Of the work in hand, only what is answered is known. */
export interface Spender {
  readonly isDone: boolean;
}

class Died extends Error {}

/** @param credits the process that keeps the credits now */
export function createSpender(
  world: World,
  known: Known,
  name: string,
  calls: number,
  telling: number,
  way: FaultyNetwork,
  credits: () => CreditsProcess | undefined,
): Spender {
  const { random } = world;
  let open = calls;

  /** Rejects when the other process dies, as a connection does. */
  const during = <T>(other: CreditsProcess, work: Promise<T>): Promise<T> =>
    Promise.race([work, other.begun.ended.then(() => Promise.reject(new Died()))]);

  async function spend(requestId: string, other: CreditsProcess): Promise<void> {
    const accountId = random.chance(0.7) ? 1 : 2;
    const most = 0.5 * (1 + random.below(4));
    const credits = random.chance(0.2) ? 0 : 0.5 * (1 + random.below(2 * most));
    const port = createFaultyCredits(other.credits, way);
    const hold = await during(other, Promise.resolve(port.reserve(termsOf(accountId), most)));
    if (random.chance(0.15)) {
      await during(other, Promise.resolve(hold.release()));
      return;
    }
    const at = new Date(EPOCH + world.now()).toISOString();
    const call = { at, keyId: 1, operation: null, requestId, status: 200, milliseconds: 1 };
    await during(other, Promise.resolve(hold.charge(call, credits)));
    world.note(() => `${name} has paid ${credits} for ${requestId}`);
    if (credits > 0) known.charged.set(requestId, { accountId, credits });
  }

  async function buy(payment: string, other: CreditsProcess): Promise<void> {
    const accountId = 1 + (payment.length % 2);
    const topUp = { accountId, credits: 1, packId: 1, payment, priceCents: 1, currency: 'usd' };
    const port = createFaultyCredits(other.credits, way);
    const decide = (ledger: Parameters<typeof decideTopUp>[0]) => decideTopUp(ledger, topUp, EPOCH + world.now());
    await during(other, port.record(termsOf(accountId), decide));
    known.bought.set(payment, accountId);
  }

  async function attempt(work: (other: CreditsProcess) => Promise<void>): Promise<boolean> {
    const other = credits();
    if (!other) return false;
    try {
      await work(other);
      return true;
    } catch (error) {
      world.note(() => `${name}: ${error}`);
      if (error instanceof ApiError && error.code === 'insufficient_credits') return true;
      if (!(error instanceof AnswerLost || error instanceof Died)) throw error;
      return false;
    }
  }

  async function play(number: number): Promise<void> {
    const id = `${name}-${number}`;
    if (random.chance(0.2)) {
      // The provider tells of a payment until it is confirmed.
      while (!(await attempt((other) => buy(id, other)))) await world.pause(null, 'paid, and told again', 50);
    } else {
      // A call whose answer is lost is another call when it comes again.
      for (let again = 0; again < 3; again++) if (await attempt((other) => spend(`${id}.${again}`, other))) break;
    }
    open--;
  }

  for (let number = 0; number < calls; number++) {
    const begin = () => void play(number).catch(world.failed);
    world.schedule(null, `${name} calls`, random.below(telling), begin);
  }

  return {
    get isDone() {
      return open === 0;
    },
  };
}
