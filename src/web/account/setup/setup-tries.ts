import { RefusedError } from '../../../domain/primitives/domain-errors.ts';
import { MINUTE, SECOND } from '../../../domain/primitives/time.ts';
import { countedNetworksOf } from '../../../platform/client-networks.ts';

const WITHIN_MS = 15 * MINUTE;
const MAX_OF_NETWORK = 5;
/** Of everybody together: the code has 79 bits, so this is far from any guess. */
const MAX_OF_ALL = 1000;

/** Counts wrong codes. A limit of all bounds the memory too. */
export interface SetupTries {
  /** @throws RefusedError 429 after too many of this address, or of all */
  assertMore(ip: string): void;
  countWrong(ip: string): void;
}

/** @param now milliseconds */
export function createSetupTries(now: () => number): SetupTries {
  const wrong: { readonly network: string; readonly at: number }[] = [];

  const forgetOld = (): void => {
    while (wrong.length > 0 && wrong[0]!.at <= now() - WITHIN_MS) wrong.shift();
  };

  return {
    assertMore(ip) {
      forgetOld();
      const isOver = countedNetworksOf(ip).some(
        ({ network, times }) => wrong.filter((one) => one.network === network).length >= MAX_OF_NETWORK * times,
      );
      if (!isOver && wrong.length < MAX_OF_ALL) return;
      throw new RefusedError(429, 'Too many wrong codes. Try again later.', { retryAfter: WITHIN_MS / SECOND });
    },
    countWrong(ip) {
      for (const { network } of countedNetworksOf(ip)) wrong.push({ network, at: now() });
    },
  };
}
