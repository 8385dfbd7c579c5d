import type { OperatorUserActions } from '../../accounts/users/user-service.ts';
import type { ForecastService } from '../../forecasting/learning/forecast-reader.ts';
import { IngestInterrupted, ingestLines } from '../../ingest/intake/ingest-lines.ts';
import type { Intake } from '../../ingest/intake/intake.ts';
import type { ProjectionRunner } from '../../read-models/projector/projection-runner.ts';
import type { MendingParts } from '../mending/do-act.ts';
import { ControlError } from './control-messages.ts';
import type { ControlRoute } from './control-server.ts';
import { IDENTITIES_ACTIONS, identitiesAction } from './identities-action.ts';
import { KEYS_ACTIONS, type KeysActionParts, keysAction } from './keys-action.ts';
import type { PromotionOrder } from './promotion-order.ts';
import { USERS_ACTIONS, usersAction } from './users-action.ts';

export interface ControlParts extends KeysActionParts {
  readonly intake: Intake;
  readonly mending: MendingParts;
  readonly operators: OperatorUserActions;
  readonly runner: Pick<ProjectionRunner, 'rebuild'>;
  readonly forecasts: Pick<ForecastService, 'learnAnew'>;
  /** Backs up at once; absent: no backup is made. */
  readonly backup?: (() => Promise<void>) | undefined;
  /** Makes this standby the first; absent: it is none. */
  readonly promote?: ((order: PromotionOrder) => Promise<void>) | undefined;
  /** User actions for operators. */
  readonly status: () => Promise<unknown>;
}

const STOPPED = 'the server stopped before the input was through; what it had taken is kept, run the command again';

/** The routes of the control endpoint, for commands on the same machine. */
export function controlRoutes(parts: ControlParts): Readonly<Record<string, ControlRoute>> {
  return {
    'POST /ingest': async ({ body, signal, progress }) => {
      try {
        return await ingestLines(parts.intake, body, {
          signal,
          onBatch: ({ received }) => progress({ done: received }),
        });
      } catch (error) {
        if (error instanceof IngestInterrupted) throw new ControlError(STOPPED, { report: error.report, again: true });
        throw error;
      }
    },
    'POST /rebuild': async ({ query, progress }) => {
      const rebuilt = await parts.runner.rebuild(query.getAll('projection'), ({ records }) =>
        progress({ done: records }),
      );
      if (query.get('learned') === 'true') await parts.forecasts.learnAnew();
      return rebuilt;
    },
    'GET /status': () => parts.status(),
    'POST /promote': async ({ query, progress }) => {
      if (!parts.promote) throw new ControlError('the server that runs there is no standby');
      try {
        await parts.promote({
          isFirstGone: query.get('first_is_gone') === 'true',
          say: (text) => progress({ name: text, done: 0 }),
        });
      } catch (error) {
        const { code, message } = error as Error & { code?: unknown };
        throw code === 'promotion_refused' ? new ControlError(message) : error;
      }
      return {};
    },
    'POST /backup': async () => {
      if (!parts.backup) throw new ControlError('the server that runs has no BACKUP_URL');
      await parts.backup();
      return {};
    },
    ...Object.fromEntries(
      KEYS_ACTIONS.map((action): [string, ControlRoute] => [
        `POST /keys/${action}`,
        async ({ body }) => keysAction(parts, action, await readJson(body)),
      ]),
    ),
    ...Object.fromEntries(
      IDENTITIES_ACTIONS.map((action): [string, ControlRoute] => [
        `POST /identities/${action}`,
        async ({ body }) => identitiesAction(parts.mending, await readJson(body)),
      ]),
    ),
    ...Object.fromEntries(
      USERS_ACTIONS.map((action): [string, ControlRoute] => [
        `POST /users/${action}`,
        async ({ body }) => usersAction(parts.operators, action, await readJson(body)),
      ]),
    ),
  };
}

async function readJson(body: AsyncIterable<Uint8Array>): Promise<object> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as object;
}
