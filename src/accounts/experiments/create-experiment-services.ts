import { createHash } from 'node:crypto';
import { type ExperimentDocument, experimentKey, experiments } from '../../../projections/accounts/experiments.ts';
import { ApiError, notFound } from '../../api/calls/api-errors.ts';
import type { Principal } from '../../api/calls/principal.ts';
import { grantsSport, isLimitedToSports } from '../../api/calls/scopes.ts';
import {
  type Experiment,
  type ExperimentServices,
  type ListedExperiment,
  MAX_EXPERIMENTS,
  MAX_OPEN_EXPERIMENTS,
} from '../../api/calls/services/experiment-services.ts';
import {
  createExperimentEvent,
  type ExperimentPosted,
  type ExperimentRecord,
  experimentStream,
  experimentsStream,
} from '../../domain/experiments/experiment-events.ts';
import { EXPERIMENT_ID_BYTES, placeInAccount, toExperimentId } from '../../domain/experiments/experiment-id.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { experimentLeaf, hashOfExperiment } from '../../domain/proof/experiment-leaf.ts';
import { hashOfLeaf, type NewSalt } from '../../domain/proof/sealed-leaf.ts';
import { ConflictError, type EventLog } from '../../event-log/port/event-log.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import { saltOfKey } from '../seal-keys/salt-of-key.ts';
import type { SealKeyStore } from '../seal-keys/seal-key-store.ts';

interface ExperimentServicesParts {
  readonly log: Pick<EventLog, 'append' | 'readStream'>;
  /** Tells which experiments are closed. It may lag behind: then one that is closed still counts as open. */
  readonly store: Pick<DocumentReader, 'getMany'>;
  readonly gate: WriteGate;
  readonly sealKeys: Pick<SealKeyStore, 'keyOf' | 'find'>;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly newSalt: NewSalt;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Posts that others of the account may slip in between before one is refused. */
const MAX_ATTEMPTS = 20;

/** Experiments in the log. Those of an account stand in one stream in order, so its length is their number. */
export function createExperimentServices(parts: ExperimentServicesParts): ExperimentServices {
  const { log, store, gate, sealKeys, randomBytes, newSalt, now } = parts;

  const readAll = async (accountId: number): Promise<readonly ExperimentPosted[]> =>
    (await log.readStream(experimentsStream(accountId))).map(({ data }) => data as ExperimentPosted);

  async function readDocuments(posted: readonly ExperimentPosted[]) {
    const keys = posted.map(({ accountId, id }) => experimentKey(accountId, id));
    return store.getMany<ExperimentDocument>(experiments.name, keys);
  }

  async function assertRoom(posted: readonly ExperimentPosted[]): Promise<void> {
    if (posted.length >= MAX_EXPERIMENTS) {
      throw new ApiError('forbidden', `An account keeps ${MAX_EXPERIMENTS} experiments. None is ever deleted.`);
    }
    const closed = (await readDocuments(posted)).filter((one) => one?.document.closedAt != null).length;
    if (posted.length - closed >= MAX_OPEN_EXPERIMENTS) {
      throw new ApiError('forbidden', `An account may have ${MAX_OPEN_EXPERIMENTS} open experiments. End one first.`);
    }
  }

  async function findPosted(principal: Principal, id: string): Promise<ExperimentPosted> {
    const place = placeInAccount(id);
    if (place !== undefined && principal.account) {
      const stream = experimentsStream(principal.accountId);
      const [record] = await log.readStream(stream, { fromRevision: place, limit: 1 });
      const posted = record?.data as ExperimentPosted | undefined;
      if (posted?.id === id && coversSports(principal, posted)) return posted;
    }
    throw notFound('There is no such experiment.');
  }

  const readOutcome = async (id: string): Promise<readonly ExperimentRecord[]> =>
    (await log.readStream(experimentStream(id), { limit: 2 })) as readonly ExperimentRecord[];

  async function readExperiment(posted: ExperimentPosted): Promise<Experiment> {
    const { id, accountId, leaf } = posted;
    const records = await readOutcome(id);
    const ended = records.find(({ type }) => type === 'ExperimentEnded');
    const last = records.at(-1);
    const closed = last?.type === 'ExperimentClosed' ? last.data : null;
    const key = leaf === null ? null : await sealKeys.find(accountId);
    return {
      ...toListed(posted),
      state: closed ? 'closed' : ended ? 'ended' : 'open',
      verdict: closed?.verdict ?? null,
      endedAt: ended?.data.at ?? null,
      closed,
      seal: leaf !== null && key !== null ? { salt: saltOfKey(key, id), leaf } : null,
    };
  }

  return {
    async post({ account, accountId }, { definition, sports }, run) {
      if (!account) throw new ApiError('forbidden', 'The key of the operator has no account to hold experiments.');
      gate.assertOpen();
      const key = await sealKeys.keyOf(accountId);
      const hash = hashOfExperiment(definition);
      for (let attempt = 1; ; attempt++) {
        const posted = await readAll(accountId);
        const known = run === undefined ? undefined : posted.find((one) => one.run === run);
        if (known) return { id: known.id, hash: known.hash };
        await assertRoom(posted);
        const bytes = run === undefined ? randomBytes(EXPERIMENT_ID_BYTES) : digest(`experiment ${accountId} ${run}`);
        const id = toExperimentId(posted.length, bytes);
        const at = formatTime(now());
        const leaf = hashOfLeaf(saltOfKey(key, id), experimentLeaf({ id, hash, posted_at: at, ...definition }));
        const event = createExperimentEvent('ExperimentPosted', {
          ...{ id, accountId, at, definition, hash, sports, run: run ?? null },
          leaf: leaf.toString('hex'),
        });
        try {
          await log.append(experimentsStream(accountId), [event], posted.length === 0 ? 'none' : posted.length - 1);
          return { id, hash };
        } catch (error) {
          // Another call has posted one meanwhile: the bounds are to be asked again.
          if (!(error instanceof ConflictError) || attempt >= MAX_ATTEMPTS) throw error;
        }
      }
    },
    async list(principal) {
      if (!principal.account) return [];
      const posted = (await readAll(principal.accountId)).filter((one) => coversSports(principal, one)).reverse();
      const documents = await readDocuments(posted);
      return posted.map((one, index) => {
        const { endedAt = null, closedAt = null, verdict = null } = documents[index]?.document ?? {};
        const state = closedAt !== null ? 'closed' : endedAt !== null ? 'ended' : 'open';
        return { ...toListed(one), state, verdict };
      });
    },
    async read(principal, id) {
      return readExperiment(await findPosted(principal, id));
    },
    async end(principal, id) {
      gate.assertOpen();
      const posted = await findPosted(principal, id);
      const { accountId } = posted;
      if ((await readOutcome(id)).length === 0) {
        const at = formatTime(now());
        const event = createExperimentEvent('ExperimentEnded', { id, accountId, at, salt: newSalt() });
        try {
          await log.append(experimentStream(id), [event], 'none');
        } catch (error) {
          // It was ended or closed at this very moment.
          if (!(error instanceof ConflictError)) throw error;
        }
      }
      return readExperiment(posted);
    },
  };
}

function coversSports(principal: Principal, { sports }: ExperimentPosted): boolean {
  if (sports === null) return !isLimitedToSports(principal);
  return sports.every((sport) => grantsSport(principal, sport));
}

const digest = (text: string): Uint8Array =>
  createHash('sha256').update(text).digest().subarray(0, EXPERIMENT_ID_BYTES);

const toListed = ({ id, hash, at, definition }: ExperimentPosted): Omit<ListedExperiment, 'state' | 'verdict'> => ({
  id,
  hash,
  postedAt: at,
  ...definition,
});
