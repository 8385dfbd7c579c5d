import { setImmediate } from 'node:timers/promises';
import { type Random, randomOf } from '../../api/fuzz/random.ts';

/** The answer of a far service did not come: whether the call took effect, nobody knows. */
export class AnswerLost extends Error {
  readonly code = 'answer_lost';
  readonly tookEffect: boolean;
  constructor(call: string, tookEffect: boolean) {
    super(`${call}: connection lost`);
    this.name = 'AnswerLost';
    this.tookEffect = tookEffect;
  }
}

/** What lies between a process and a port that is far away. Far doubles of ports take every call through it. */
export interface FaultyNetwork {
  readonly random: Random;
  /** Takes some time before and after the effect. Rejects with `AnswerLost` where the way is broken. */
  call<T>(name: string, effect: () => Promise<T>): Promise<T>;
}

export interface FaultyNetworkOptions {
  readonly seed?: number;
  /** Share of the calls that fail, half of them after they have taken effect; default 0. */
  readonly lost?: number;
}

/** A way that takes up to three turns of the event loop in each direction; a seed decides how many, and what is lost. */
export function createFaultyNetwork({ seed = 1, lost = 0 }: FaultyNetworkOptions = {}): FaultyNetwork {
  const random = randomOf(seed);

  async function travel(): Promise<void> {
    for (let turns = 1 + random.below(3); turns > 0; turns--) await setImmediate();
  }

  return {
    random,
    async call(name, effect) {
      const isLost = random.chance(lost);
      const tookEffect = random.chance(0.5);
      await travel();
      if (isLost && !tookEffect) throw new AnswerLost(name, false);
      const result = await effect();
      await travel();
      if (isLost) throw new AnswerLost(name, true);
      return result;
    },
  };
}
