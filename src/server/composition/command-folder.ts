import { createInvoicing } from '../../accounts/billing/billing.ts';
import { plansInForce } from '../../accounts/billing/plans/live-plans.ts';
import { createCreditBook } from '../../accounts/credits/credit-book.ts';
import { keysAdministration } from '../../accounts/keys-administration.ts';
import { openOperators } from '../../accounts/users/open-people.ts';
import type { OperatorsOfPeople } from '../../accounts/users/people.ts';
import { BATCH } from '../../ingest/intake.ts';
import { markFile } from '../../platform/clock/clock-mark.ts';
import type { ServerClock } from '../../platform/clock/server-clock.ts';
import { clockFile } from '../../platform/data-folder/paths.ts';
import { providerOf } from '../../platform/payments/provider.ts';
import { baseUrl, type Config } from '../../platform/settings/config.ts';
import type { KeysActionParts } from '../control/keys-action.ts';
import { type Core, openCore } from './core.ts';
import { openEmbedded } from './embedded.ts';
import { realEnvironment, silentLog } from './environment.ts';
import type { Ports } from './ports.ts';
import { secretsOf } from './secrets.ts';

/** A data folder in which a command works alone. */
export interface CommandFolder extends Core {
  readonly ports: Ports;
  /** What the users command does, without a server. */
  operators(): OperatorsOfPeople;
  /** What the keys command does, without a server. */
  keysParts(): KeysActionParts;
}

/**
 * @param config its `dataDir` must exist, and be locked by the caller
 * @param say tells the operator what is wrong with the folder
 */
export async function openCommandFolder(config: Config, say: (text: string) => void): Promise<CommandFolder> {
  const environment = realEnvironment(silentLog);
  const secrets = secretsOf(config.dataDir, config, environment);
  // What has failed with an error the command itself tells, when it ends.
  const logger = { ...silentLog, error: (fields: object, message: string) => void ('err' in fields || say(message)) };
  const ports = await openEmbedded(config.dataDir, secrets, { ...environment, logger }, config.acceptClock);
  const { clock } = ports;
  const plans = plansInForce(config.plans, await ports.billingStores.planChanges.all());
  // Nobody else waits here.
  const core = await openCore(ports, environment, { partMessages: BATCH });
  return {
    ...core,
    ports,
    operators: () =>
      openOperators({
        ...{ ...ports.registry, ...environment, gate: clock, now: clock.now, pepper: secrets.pepper },
        baseUrl: () => baseUrl(config, config.port),
      }),
    keysParts() {
      const { now } = clock;
      const { randomBytes: random } = environment;
      const { log, keys: registry, billing } = ports;
      const provider = providerOf(config);
      const { administration } = createInvoicing({
        ...{ log, registry: billing, provider, random, now, plans, billingLog: silentLog },
        credits: createCreditBook({
          ...ports,
          ...environment,
          ...{ now, gate: clock },
          writerId: Buffer.from(random(9)).toString('base64url'),
          onError: () => {},
        }),
        baseUrl: () => baseUrl(config, config.port),
      });
      const keys = keysAdministration(
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

function keepMark(folder: string, clock: Pick<ServerClock, 'mark'>): void {
  const mark = clock.mark();
  if (!mark) return;
  try {
    markFile(clockFile(folder)).write(mark);
  } catch {
    // The command has done its work; the next start goes by an older mark.
  }
}
