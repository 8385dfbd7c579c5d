import { RefusedError } from '../../domain/primitives/domain-errors.ts';
import { createConcurrencySlots } from '../../platform/async/concurrency.ts';

/** The cost of a hash. */
export interface HashingOptions {
  readonly memoryKib: number;
  readonly passes: number;
  /** Hashes at the same time. Each one needs a thread and its memory. */
  readonly maxConcurrent: number;
  /** Hashes that may wait; further ones are refused. */
  readonly maxQueued: number;
}

/** OWASP Password Storage Cheat Sheet: Argon2id, 19 MiB, 2 passes, parallelism 1. */
export const DEFAULT_HASHING: HashingOptions = { memoryKib: 19_456, passes: 2, maxConcurrent: 2, maxQueued: 100 };

/** Argon2id, off the event loop. Every method throws `RefusedError` with 503 if too many hashes wait. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  /**
   * @param hash absent: takes as long and returns false, so that an unknown address is answered as slowly as a known
   * one
   */
  verify(hash: string | undefined, password: string): Promise<boolean>;
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
  const inTurn = createConcurrencySlots(maxConcurrent, {
    maxQueued,
    createError: () =>
      new RefusedError(503, 'Too many people sign in at this moment. Try again.', { retryAfter: RETRY_SECONDS }),
  });
  const hash = (password: string) => inTurn(async () => (await library()).hash(password, options));
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
    async verify(given, password) {
      // Make it in every case, so that the first unknown address does not take longer.
      const stand = await dummyHash();
      const isRight = await inTurn(async () => (await library()).verify(given ?? stand, password));
      return given !== undefined && isRight;
    },
    async isWeak(given) {
      const { algorithm, memoryCost, timeCost } = (await library()).parseOptions(given);
      return Number(algorithm) !== ARGON2ID || memoryCost < memoryKib || timeCost < passes;
    },
  };
}
