import { createInvoicing } from '../accounts/billing/billing.ts';
import { createCreditBook } from '../accounts/credits/credit-book.ts';
import { keysAdministration } from '../accounts/keys-administration.ts';
import type { KeysActionParts } from '../control/keys-action.ts';
import { providerOf } from '../payments/provider.ts';
import { baseUrl, type Config } from '../settings/config.ts';
import { type Core, openCore } from './core.ts';
import { openEmbedded } from './embedded.ts';
import { realEnvironment, silentLog } from './environment.ts';
import type { Ports } from './ports.ts';
import { secretsOf } from './secrets.ts';

/** A data folder in which a command works alone. */
export interface CommandFolder extends Core {
  readonly ports: Ports;
  /** What the keys command does, without a server. */
  keysParts(): KeysActionParts;
}

/** @param config its `dataDir` must exist, and be locked by the caller */
export async function openCommandFolder(config: Config): Promise<CommandFolder> {
  const environment = realEnvironment(silentLog);
  const secrets = secretsOf(config.dataDir, config.keyPepper, environment);
  const ports = await openEmbedded(config.dataDir, secrets, environment);
  const core = await openCore(ports, environment);
  return {
    ...core,
    ports,
    keysParts() {
      const { now, randomBytes: random } = environment;
      const { log, keys: registry, billing } = ports;
      const provider = providerOf(config);
      const { administration } = createInvoicing({
        ...{ log, registry: billing, provider, random, now, plans: config.plans, billingLog: silentLog },
        credits: createCreditBook({
          ...ports,
          ...environment,
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
      await ports.close();
    },
  };
}
