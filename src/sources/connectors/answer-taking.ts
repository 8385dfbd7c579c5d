import type { Intake, Outcome } from '../../ingest/intake.ts';
import type { Provider, TakenAnswer } from '../importing/connector.ts';
import { SAME_AGAIN_MS, type SaidLately } from './said-lately.ts';

type Message = Readonly<Record<string, unknown>>;

/** What an answer said. */
export interface ReadAnswer {
  readonly messages: readonly Message[];
  /** Why events of it could not be read. */
  readonly rejected: readonly { readonly code: string; readonly message: string }[];
  /** Members that are not as expected in a fifth of its events or more. */
  readonly drift: readonly { readonly path: string; readonly problem: string }[];
}

/** All of it before anything is handed over: an answer of no known shape is dropped whole. @throws UnknownAnswer */
export async function readAnswer(provider: Provider, answer: TakenAnswer): Promise<ReadAnswer> {
  const read = {
    messages: [] as Message[],
    rejected: [] as ReadAnswer['rejected'][number][],
    drift: [] as ReadAnswer['drift'][number][],
  };
  for await (const item of provider.read(answer)) {
    if ('message' in item) read.messages.push(item.message);
    else if ('rejected' in item) read.rejected.push(item.rejected);
    else if ('drift' in item) read.drift.push(item.drift);
  }
  return read;
}

/** Messages that are handed over at once. */
const BATCH = 200;

/** Hands over what was not said a moment ago. @param told what became of each that was handed over */
export async function handOver(
  intake: Intake,
  said: SaidLately,
  messages: readonly Message[],
  told: (message: Message, outcome: Outcome) => void,
): Promise<void> {
  const news = messages.filter((message) => !said.has(message));
  for (let from = 0; from < news.length; from += BATCH) {
    const batch = news.slice(from, from + BATCH);
    const items = batch.map((value, index) => ({
      ...{ line: from + index + 1, value, sparing: SAME_AGAIN_MS, isForgetful: !said.knows(value) },
    }));
    const { outcomes } = await intake.accept(items);
    for (const [index, message] of batch.entries()) {
      const outcome = outcomes[index]!;
      told(message, outcome);
      if (outcome.status !== 'rejected') said.add(message);
    }
  }
}
