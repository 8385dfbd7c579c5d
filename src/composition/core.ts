import { setTimeout } from 'node:timers/promises';
import { projections } from '../../projections/index.ts';
import { announcedStore } from '../calls/answers/announced-store.ts';
import { type AnswerCache, createAnswerCache } from '../calls/answers/answer-cache.ts';
import type { Places } from '../domain/position.ts';
import { FeedIntake } from '../ingest/feed-intake.ts';
import type { Intake } from '../ingest/intake.ts';
import { ownReached } from '../store/progress.ts';
import { createProjectionRunner, type ProjectionRunner } from '../store/projection-runner.ts';
import { runnerProgress } from '../store/runner-progress.ts';
import type { Environment } from './environment.ts';
import type { Ports } from './ports.ts';

/** The way of a fact through a server: from the intake into the log, and from there into the read models. */
export interface Core {
  readonly intake: Intake;
  readonly runner: ProjectionRunner;
  /** Hears of everything that the runner writes. */
  readonly answers: AnswerCache;
  /** Resolves when the read models show everything up to these places; without any, all that is in the log now. */
  projected(places?: Places): Promise<void>;
  /** Ends the projections. The ports stay open. */
  close(): Promise<void>;
}

/** What the answers that are kept may occupy. */
const ANSWER_BYTES = 64 * 1024 * 1024;

/** Of each projection, for those that change next: of what a long file brings none comes again, and a document of
 *  line movements may take tens of KiB. */
const DOCUMENTS_KEPT = 2000;

export interface CoreOptions {
  /** What the answers that are kept may occupy; default 64 MiB. */
  readonly answerBytes?: number;
}

/** The one way in; what waits for something that is known by now is tried first. */
export async function openIntake(
  { log, identities }: Pick<Ports, 'log' | 'identities'>,
  { now, random }: Pick<Environment, 'now' | 'random'>,
): Promise<Intake> {
  const pause = (milliseconds: number) => setTimeout(milliseconds);
  const intake = new FeedIntake({ log, identities, now, pause, random });
  await intake.resume();
  return intake;
}

/** It projects nothing before `runner.start`. */
export async function openCore(
  ports: Pick<Ports, 'log' | 'feed' | 'store' | 'identities'>,
  environment: Pick<Environment, 'now' | 'random' | 'logger'>,
  { answerBytes = ANSWER_BYTES }: CoreOptions = {},
): Promise<Core> {
  const { log, feed, store } = ports;
  const { now, logger } = environment;
  const intake = await openIntake(ports, environment);
  const answers = createAnswerCache(answerBytes);
  const announced = announcedStore(store, answers);
  const cacheDocuments = DOCUMENTS_KEPT;
  const runner = createProjectionRunner({ log, feed, store: announced, projections, cacheDocuments, now, logger });
  const progress = runnerProgress(runner, log);
  return {
    intake,
    runner,
    answers,
    projected: (places) => (places === undefined ? progress.reachedEnd() : ownReached(progress, places)),
    close: () => runner.stop(),
  };
}
