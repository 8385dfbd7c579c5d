import { createInvoicing } from '../../accounts/billing/create-billing.ts';
import { mergePlanChanges } from '../../accounts/billing/live-plans.ts';
import { createLocalCredits } from '../../accounts/credits/local-credits.ts';
import { createKeyAdministration } from '../../accounts/key-administration.ts';
import { openOperatorUserActions } from '../../accounts/users/open-users.ts';
import type { OperatorUserActions } from '../../accounts/users/user-service.ts';
import { INTAKE_BATCH_SIZE } from '../../ingest/intake/intake.ts';
import { createClockMarkerFile } from '../../platform/clock/clock-marker-file.ts';
import type { ServerClock } from '../../platform/clock/server-clock.ts';
import { clockFile } from '../../platform/data-folder/folder-paths.ts';
import { paymentProviderOf } from '../../platform/payments/open-payments.ts';
import { baseUrl, type Config } from '../../platform/settings/config.ts';
import { realEnvironment, silentLog } from '../composition/environment.ts';
import { type Core, openCore } from '../composition/open-core.ts';
import type { Ports } from '../composition/ports.ts';
import { secretsOf } from '../composition/secrets.ts';
import type { KeysActionParts } from '../control/keys-action.ts';
import type { MendingParts } from '../mending/do-act.ts';
import { assertWrittenAlone } from '../standby/folder-role.ts';
import { beginDatabase } from './begun-database.ts';
import { openEmbedded } from './embedded-stores.ts';

/** A data folder in which a command works without a server. */
export interface CommandFolder extends Core {
  readonly ports: Ports;
  /** The actions of the users command. */
  operators(): OperatorUserActions;
  /** What the identities command works on. */
  mending(): MendingParts;
  /** The actions of the keys command. */
  keysParts(): KeysActionParts;
}

/**
 * @param config its `dataDir` must exist, and be locked by the caller
 * @param say prints to the operator what is wrong with the folder
 */
export async function openCommandFolder(config: Config, say: (text: string) => void): Promise<CommandFolder> {
  const environment = realEnvironment(silentLog);
  assertWrittenAlone(config.dataDir);
  beginDatabase(config.dataDir);
  const secrets = secretsOf(config.dataDir, config, environment);
  // Failures with an error are printed by the command itself when it ends.
  const logger = { ...silentLog, error: (fields: object, message: string) => void ('err' in fields || say(message)) };
  const ports = await openEmbedded(config.dataDir, secrets, { ...environment, logger }, config.acceptClock);
  const { clock } = ports;
  const plans = mergePlanChanges(config.plans, await ports.billingStores.planChanges.all());
  // Nobody else waits in this process.
  const core = await openCore(ports, environment, { partMessages: INTAKE_BATCH_SIZE, quarantine: config.quarantine });
  return {
    ...core,
    ports,
    mending: () => ({ ...core, identities: ports.identities, log: ports.log, now: clock.now }),
    operators: () =>
      openOperatorUserActions({
        ...ports.registry,
        ...environment,
        gate: clock,
        now: clock.now,
        pepper: secrets.pepper,
        baseUrl: () => baseUrl(config, config.port),
      }),
    keysParts() {
      const { now } = clock;
      const { randomBytes: random } = environment;
      const { log, keys: registry, billing } = ports;
      const provider = paymentProviderOf(config);
      const { administration } = createInvoicing({
        log,
        registry: billing,
        provider,
        random,
        now,
        plans,
        billingLog: silentLog,
        credits: createLocalCredits({
          ...ports,
          ...environment,
          now,
          gate: clock,
          writerId: Buffer.from(random(9)).toString('base64url'),
          onError: () => {},
        }),
        baseUrl: () => baseUrl(config, config.port),
      });
      const keys = createKeyAdministration(
        { registry, random, pepper: secrets.pepper, now },
        { registry: billing, provider },
      );
      return { keys, billing: administration };
    },
    async close() {
      await core.close();
      keepMark(config.dataDir, clock);
      await ports.close();
    },
  };
}

function keepMark(folder: string, clock: Pick<ServerClock, 'currentMarker'>): void {
  const mark = clock.currentMarker();
  if (!mark) return;
  try {
    createClockMarkerFile(clockFile(folder)).write(mark);
  } catch {
    // The command has done its work. The next start uses an older clock marker.
  }
}
