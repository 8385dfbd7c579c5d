import type { SetTimer } from '../platform/time/timer.ts';
import type { ConnectionPools, Pool } from './connection-pools.ts';
import { startExchange } from './exchange.ts';
import type { CheckedAddress, GuardedLookup } from './guarded-lookup.ts';
import { failed, type Outcome } from './outcome.ts';
import type { WebhookUrl } from './webhook-url.ts';

export interface GuardedRequestParts {
  readonly lookUp: GuardedLookup;
  readonly pools: ConnectionPools;
  readonly deadlineMs: number;
  readonly setTimer: SetTimer;
  readonly now: () => number;
}

export interface GuardedRequest {
  readonly url: WebhookUrl;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Looks up, checks and POSTs, within one time for all of it.
 * @param settle called once
 * @returns breaks it off, with what it then came to
 */
export function startGuardedRequest(
  { lookUp, pools, deadlineMs, setTimer, now }: GuardedRequestParts,
  { url, headers, body }: GuardedRequest,
  settle: (outcome: Outcome) => void,
): (outcome: Outcome) => void {
  let over = false;
  let stopExchange = (): void => {};

  function finish(outcome: Outcome): void {
    if (over) return;
    over = true;
    cancelTimer();
    settle(outcome);
  }
  function breakOff(outcome: Outcome): void {
    finish(outcome);
    stopExchange();
  }
  const cancelTimer = setTimer(
    () => breakOff(failed('timeout', `${url.endpoint}: no complete answer within ${deadlineMs / 1000} s`)),
    deadlineMs,
  );

  function send(addresses: readonly CheckedAddress[], pool: Pool): void {
    if (over) {
      pools.giveBack(pool);
      return;
    }
    stopExchange = startExchange({
      url,
      agent: pool.agent,
      headers,
      body,
      now,
      opened: (socket) => pools.opened(pool, socket),
      done(outcome, stale) {
        pools.giveBack(pool);
        if (stale && !over) sendAfresh(addresses);
        else finish(outcome);
      },
    });
  }

  /**
   * Servers close connections that were unused for a while, at times just when one is used again. Then it is sent once
   * more, over a new one. That the first was taken nonetheless is possible: `webhook-id` tells the receiver.
   */
  function sendAfresh(addresses: readonly CheckedAddress[]): void {
    const agent = pools.fresh(url, addresses);
    stopExchange = startExchange({ url, agent, headers, body, now, opened() {}, done: finish });
  }

  lookUp(url).then((found) => {
    if ('error' in found) finish(failed(found.error, found.message));
    else pools.enter(url, found.addresses, (pool) => send(found.addresses, pool));
  });
  return breakOff;
}
