import { TooManyConflicts } from '../../../../src/ingest/intake/intake.ts';
import { AnswerLost } from '../../../support/faulty/faulty-network.ts';
import type { World } from '../world.ts';
import type { IntakeProcess } from './intake-process.ts';
import type { Told } from './messages.ts';
import type { Settings } from './settings.ts';

/** Sends messages in batches until they are taken, to whichever intake; some again after that. */
export interface Feeder {
  /** All are taken. */
  readonly isDone: boolean;
}

/** A client whose answer does not come sends again after so long. */
const PATIENCE = 3000;

export function createFeeder(
  world: World,
  settings: Settings,
  messages: readonly Told[],
  intakes: () => readonly IntakeProcess[],
): Feeder {
  const { random } = world;
  const taken = new Set<Told>();
  const isTaken = (batch: readonly Told[]) => batch.every((one) => taken.has(one));

  async function deliver(batch: readonly Told[]): Promise<void> {
    const live = intakes();
    if (live.length === 0) return;
    const intake = random.pick(live);
    const { name } = intake.begun.owner;
    world.note(() => `${name} is told ${batch.map(({ kind, at }) => `${kind} ${at}`)}`);
    try {
      const { outcomes } = await intake.accept(batch.map(({ message }) => message));
      world.note(() => `${name} has taken ${outcomes.map(({ status }, i) => `${status} ${batch[i]!.at}`)}`);
      for (const outcome of outcomes) {
        world.check(outcome.status !== 'rejected', () => `a good message was refused: ${JSON.stringify(outcome)}`);
      }
      for (const one of batch) taken.add(one);
    } catch (error) {
      world.note(() => `${name} has not taken ${batch.map(({ at }) => at)}: ${error}`);
      // What several attempts could not settle is the sender's to try again.
      if (!(error instanceof AnswerLost || error instanceof TooManyConflicts)) throw error;
    }
  }

  /** Until it is taken: whoever was told of it may be dead. */
  async function send(batch: readonly Told[]): Promise<void> {
    // Now and then it comes again although it was taken, or is being taken.
    if (random.chance(0.15)) {
      world.schedule(null, 'the feed repeats', random.below(200), () => deliver(batch).catch(world.failed));
    }
    while (!isTaken(batch)) {
      await Promise.race([deliver(batch), world.pause(null, 'the feed waits', PATIENCE)]);
      if (!isTaken(batch)) await world.pause(null, 'the feed sends again', random.below(300));
    }
  }

  for (let next = 0; next < messages.length; ) {
    const batch = messages.slice(next, next + 1 + random.below(4));
    next += batch.length;
    world.schedule(null, 'the feed sends', random.below(settings.telling), () => send(batch).catch(world.failed));
  }

  return {
    get isDone() {
      return isTaken(messages);
    },
  };
}
