import type { Answer } from '../../src/answers/answer.ts';
import type { AnswerCache } from '../../src/answers/answer-cache.ts';
import type { ReadStore } from '../../src/store/read-store.ts';
import { Injected } from './calls.ts';
import type { DurableStore } from './durable-store.ts';
import type { World } from './world.ts';

/** What a viewer is answered: of which record the document was. */
interface Seen extends Answer {
  readonly position: bigint | null;
}

/**
 * Asks for a document as an operation does, through the kept answers. One that is kept shows what the store would
 * show at this moment, whatever is under way.
 */
export async function view(
  world: World,
  durable: DurableStore,
  store: ReadStore,
  answers: AnswerCache,
  projection: string,
  id: number,
): Promise<void> {
  const key = `${projection} ${id}`;
  const kept = answers.get(key) as Seen | undefined;
  if (kept) {
    const stored = await durable.get(projection, String(id));
    world.check(
      (stored?.position ?? null) === kept.position,
      () => `the kept answer of ${key} is as of ${kept.position}, but the store shows ${stored?.position}`,
    );
    return;
  }
  try {
    await answers.make(key, async (sources) => {
      sources.document(projection, String(id));
      const stored = await store.get(projection, String(id));
      const seen: Seen = { bytes: key, tag: '', maxAge: 0, credits: 0, position: stored?.position ?? null };
      return seen;
    });
  } catch (error) {
    // It has no build yet, in a process that is only just starting.
    if (!(error instanceof Injected) && !`${error}`.includes('has no build')) throw error;
  }
}
