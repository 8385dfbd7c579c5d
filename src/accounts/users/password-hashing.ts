import { RefusedError } from '../../domain/primitives/domain-errors.ts';
import { createConcurrencySlots } from '../../platform/async/concurrency.ts';
import { type CountedNetwork, countedNetworksOf } from '../../platform/client-networks.ts';

/** The cost of a hash. */
export interface HashingOptions {
  readonly memoryKib: number;
  readonly passes: number;
  /** Hashes at the same time. Each one needs a thread and its memory. */
  readonly maxConcurrent: number;
  /** Hashes that may wait; further ones are refused. */
  readonly maxQueued: number;
}

/** Hashes of one address that may wait. */
const MAX_QUEUED_OF_ADDRESS = 3;

/** OWASP Password Storage Cheat Sheet: Argon2id, 19 MiB, 2 passes, parallelism 1. */
export const DEFAULT_HASHING: HashingOptions = { memoryKib: 19_456, passes: 2, maxConcurrent: 2, maxQueued: 100 };

/**
 * Argon2id, off the event loop. `ip` is the client's: 3 hashes of an address may wait, so that nobody fills the queue for
 * others. Every method throws `RefusedError`: 429 if too many of the address wait, 503 if too many of all.
 */
export interface PasswordHashing {
  hash(password: string, ip?: string): Promise<string>;
  /**
   * @param hash absent: takes as long and returns false, so that an unknown address is answered as slowly as a known
   * one
   */
  verify(hash: string | undefined, password: string, ip?: string): Promise<boolean>;
  /** Whether the hash was made with weaker parameters than the current ones. */
  isWeak(hash: string): Promise<boolean>;
}

const ARGON2ID = 2;
const RETRY_SECONDS = 2;

export function createPasswordHashing({
  memoryKib,
  passes,
  maxConcurrent,
  maxQueued,
}: HashingOptions): PasswordHashing {
  const options = { algorithm: ARGON2ID, memoryCost: memoryKib, timeCost: passes, parallelism: 1 } as const;
  const library = () => import('@node-rs/argon2');
  const slots = createConcurrencySlots(maxConcurrent, {
    maxQueued,
    createError: () =>
      new RefusedError(503, 'Too many people sign in at this moment. Try again.', { retryAfter: RETRY_SECONDS }),
  });
  /** Hashes that wait, by network. */
  const waiting = new Map<string, number>();

  function leave(networks: readonly CountedNetwork[]): void {
    for (const { network } of networks) {
      const left = waiting.get(network)! - 1;
      if (left === 0) waiting.delete(network);
      else waiting.set(network, left);
    }
  }

  async function inTurn<T>(ip: string | undefined, work: () => Promise<T>): Promise<T> {
    const networks = ip === undefined ? [] : countedNetworksOf(ip);
    const isFull = networks.some(({ network, times }) => {
      // However many networks somebody has, half of the queue is for others.
      const most = Math.min(MAX_QUEUED_OF_ADDRESS * times, Math.ceil(maxQueued / 2));
      return (waiting.get(network) ?? 0) >= most;
    });
    if (isFull) throw new RefusedError(429, 'Too many at once. Try again.', { retryAfter: RETRY_SECONDS });
    for (const { network } of networks) waiting.set(network, (waiting.get(network) ?? 0) + 1);
    let hasBegun = false;
    try {
      return await slots(() => {
        hasBegun = true;
        leave(networks);
        return work();
      });
    } finally {
      if (!hasBegun) leave(networks);
    }
  }

  const hash = (password: string, ip?: string) => inTurn(ip, async () => (await library()).hash(password, options));
  let dummy: Promise<string> | undefined;
  /** A hash to verify against when there is none. A failed attempt is repeated at the next call. */
  function dummyHash(): Promise<string> {
    dummy ??= hash('of nobody').catch((error: unknown) => {
      dummy = undefined;
      throw error;
    });
    return dummy;
  }

  return {
    hash,
    async verify(given, password, ip) {
      // Make it in every case, so that the first unknown address does not take longer.
      const stand = await dummyHash();
      const isRight = await inTurn(ip, async () => (await library()).verify(given ?? stand, password));
      return given !== undefined && isRight;
    },
    async isWeak(given) {
      const { algorithm, memoryCost, timeCost } = (await library()).parseOptions(given);
      return Number(algorithm) !== ARGON2ID || memoryCost < memoryKib || timeCost < passes;
    },
  };
}
