import type { EventLog } from '../../../../src/event-log/port/event-log.ts';
import { createFaultyLog } from '../../../support/faulty/faulty-log.ts';
import { AnswerLost, type FaultyNetwork } from '../../../support/faulty/faulty-network.ts';
import type { Owner, World } from '../world.ts';

/** What goes wrong between a process and the services that it works with. Shares of the calls. */
export interface Faults {
  /** Fail, half of them after they have taken effect. */
  lost: number;
  /** Are on their way already when their sender dies, and arrive all the same. */
  posthumous: number;
}

/** How announcements of commits reach a process. Shares; the rest is announced once, at once. */
export interface Hints {
  readonly never: number;
  readonly late: number;
}

/** The way of one process to all that is far away from it: when each call arrives and whether, the seed decides. */
export function wayOf(world: World, owner: Owner, faults: Faults): FaultyNetwork {
  const { random } = world;
  return {
    random,
    call: (name, effect) =>
      new Promise((resolve, reject) => {
        const isLost = random.chance(faults.lost);
        const tookEffect = random.chance(0.5);
        const sender = random.chance(faults.posthumous) ? null : owner;
        const answer = (settle: () => void) => {
          // Half of them at once, which is as much and costs less.
          if (owner.alive && random.chance(0.5)) settle();
          else world.schedule(owner, `${name}: answer`, world.someTime(), settle);
        };
        world.schedule(sender, name, world.someTime(), () => {
          if (isLost && !tookEffect) {
            answer(() => reject(new AnswerLost(name, false)));
            return;
          }
          effect().then(
            (result) => answer(() => (isLost ? reject(new AnswerLost(name, true)) : resolve(result))),
            (error: unknown) => answer(() => reject(error)),
          );
        });
      }),
  };
}

/** The log as one process has it: far away, with announcements that come late, twice or never. */
export function openFarLog(world: World, owner: Owner, embedded: EventLog, far: FaultyNetwork, hints: Hints): EventLog {
  const { random } = world;
  const log = createFaultyLog(embedded, far);
  return {
    ...log,
    onCommitted(listener) {
      const end = log.onCommitted((records, previous) => {
        const tell = () => listener(records, previous);
        if (!owner.alive) end();
        else if (random.chance(hints.never)) return;
        else if (!random.chance(hints.late)) tell();
        else {
          for (let times = 1 + random.below(2); times > 0; times--) {
            world.schedule(owner, 'a late announcement', world.someTime() * 3, tell);
          }
        }
      });
      return end;
    },
  };
}
