import type { Answer, AnswerCache } from '../../../src/api/calls/answer-cache/answer-cache.ts';
import type { ReadStore, StoredDocument } from '../../../src/read-models/store/read-store.ts';
import { Injected } from './calls.ts';
import type { DurableStore } from './durable-store.ts';
import type { World } from './world.ts';

/** An answer as the server keeps it; here its bytes are the document and the position that it reflects. */
const answerOf = (stored: StoredDocument<unknown> | undefined): Answer => {
  const bytes = stored ? `${stored.position} ${JSON.stringify(stored.document)}` : 'nothing';
  return { bytes, entityTag: '', maxAge: 0, credits: 0 };
};

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
  const kept = answers.get(key);
  if (kept) {
    const { bytes } = answerOf(await durable.get(projection, String(id)));
    world.check(kept.bytes === bytes, () => `the kept answer of ${key} is ${kept.bytes}, but the store shows ${bytes}`);
    return;
  }
  try {
    await answers.make(key, async (sources) => {
      sources.trackDocument(projection, String(id));
      return answerOf(await store.get(projection, String(id)));
    });
  } catch (error) {
    // It has no build yet, in a process that is only just starting.
    if (!(error instanceof Injected) && !`${error}`.includes('has no build')) throw error;
  }
}
