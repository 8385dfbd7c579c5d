import { type ExperimentDocument, experiments } from '../../../projections/accounts/experiments.ts';
import {
  createExperimentEvent,
  type ExperimentPosted,
  type ExperimentRecord,
  experimentStream,
  experimentsStream,
} from '../../domain/experiments/experiment-events.ts';
import { placeInAccount } from '../../domain/experiments/experiment-id.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { formatTime, MINUTE } from '../../domain/primitives/time.ts';
import type { NewSalt } from '../../domain/proof/sealed-leaf.ts';
import { ConflictError, type EventLog } from '../../event-log/port/event-log.ts';
import { readExperimentTerms } from '../../intelligence/experiments/experiment-terms.ts';
import { judgeExperiment } from '../../intelligence/experiments/experiment-verdict.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import { readCohortSelections } from './experiment-selections.ts';

export interface ExperimentCloserParts {
  readonly log: EventLog;
  readonly store: Pick<ReadStore, 'find' | 'get'>;
  readonly newSalt: NewSalt;
  /** Called when one experiment could not be closed; the others are. */
  readonly onError: (error: unknown, id: string) => void;
}

/** Closes experiments whose time is over. */
export interface ExperimentCloser {
  /**
   * Closes every experiment that is due. Several processes may do so at once: an experiment is closed by one append that
   * expects the revision of its stream, so one of them closes it and the others see that.
   * @param now milliseconds
   */
  closeDue(now: number, signal: AbortSignal): Promise<void>;
}

/** What was being written when its time was over has come by then, and the closing prices of its last event. */
const CLOSE_AFTER = 2 * MINUTE;
/** Experiments in one check. The others are closed by the next ones. */
const AT_ONCE = 20;

export function createExperimentCloser({ log, store, newSalt, onError }: ExperimentCloserParts): ExperimentCloser {
  async function closeOne({ id, accountId }: ExperimentDocument, now: number, signal: AbortSignal): Promise<void> {
    const stream = experimentStream(id);
    const before = (await log.readStream(stream, { limit: 2 })) as readonly ExperimentRecord[];
    if (before.some(({ type }) => type === 'ExperimentClosed')) return;
    const posted = await readPosted(log, accountId, id);
    if (!posted) return;
    const { definition, sports } = posted;
    const ended = before.find(({ type }) => type === 'ExperimentEnded');
    const to = timeOf(definition.to);
    const until = ended ? Math.min(to, timeOf(ended.data.at)) : to;
    const terms = limitedTo(readExperimentTerms(definition), sports);
    const range = { from: timeOf(definition.from), until };
    const { selections, exclusions, leftOut } = await readCohortSelections({ log, store }, terms, range, signal);
    const closed = createExperimentEvent('ExperimentClosed', {
      id,
      accountId,
      at: formatTime(now),
      definition_hash: posted.hash,
      until: formatTime(until),
      ...judgeExperiment(terms, selections, leftOut),
      selections,
      exclusions,
      left_out: leftOut,
      salt: newSalt(),
    });
    try {
      // Verdict and selections are one record. In two, a kill between them would leave a verdict that nobody can check.
      await log.append(stream, [closed], before.at(-1)?.revision ?? 'none');
    } catch (error) {
      // Another process has closed it, or its account has ended it just now: the next check sees which.
      if (!(error instanceof ConflictError)) throw error;
    }
  }

  return {
    async closeDue(now, signal) {
      const due = await store.find<ExperimentDocument>(experiments.name, {
        range: { field: 'closes_at', from: 0, to: now - CLOSE_AFTER },
        order: { field: 'closes_at', direction: 'asc' },
        limit: AT_ONCE,
      });
      for (const { document } of due) {
        signal.throwIfAborted();
        try {
          await closeOne(document, now, signal);
        } catch (error) {
          if (signal.aborted) throw error;
          onError(error, document.id);
        }
      }
    },
  };
}

/** Of an account's stream; undefined if it has no such experiment. */
async function readPosted(
  log: Pick<EventLog, 'readStream'>,
  accountId: number,
  id: string,
): Promise<ExperimentPosted | undefined> {
  const place = placeInAccount(id);
  if (place === undefined) return undefined;
  const [record] = await log.readStream(experimentsStream(accountId), { fromRevision: place, limit: 1 });
  const posted = record?.data as ExperimentPosted | undefined;
  return posted?.id === id ? posted : undefined;
}

/** The terms within the sports of the key that posted it. */
function limitedTo<Terms extends ReturnType<typeof readExperimentTerms>>(
  terms: Terms,
  sports: readonly string[] | null,
) {
  if (sports === null) return terms;
  const { sport } = terms.cohort;
  return { ...terms, cohort: { ...terms.cohort, sport: sport ? sport.filter((one) => sports.includes(one)) : sports } };
}
