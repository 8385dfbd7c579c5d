import type { Accounts } from '../../accounts/open-accounts.ts';
import { openTrials, type Trials } from '../../accounts/trial/open-trials.ts';
import type { SecurityLog } from '../../accounts/users/security-log.ts';
import { createRegistryContext } from '../../accounts/users/user-context.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { Environment } from './environment.ts';
import type { Ports, Secrets } from './ports.ts';

interface TrialServicesParts {
  readonly ports: Pick<Ports, 'registry' | 'webhooks' | 'clock'>;
  readonly settings: Pick<Config, 'trial'>;
  readonly secrets: Pick<Secrets, 'pepper' | 'box'>;
  readonly environment: Pick<Environment, 'randomBytes' | 'setTimer' | 'logger'>;
  readonly accounts: Pick<Accounts, 'keys' | 'keyMaker'>;
  readonly security: Pick<SecurityLog, 'note'>;
  readonly baseUrl: () => string;
}

const SWEEP_MS = MINUTE;

/** Keys for programs that have none. What has expired is ended each minute, until it is closed. */
export function openTrialServices(parts: TrialServicesParts): Trials & { close(): Promise<void> } {
  const { ports, settings, secrets, environment, accounts, security, baseUrl } = parts;
  const { clock, webhooks } = ports;
  const { randomBytes, setTimer, logger } = environment;
  const { keys, keyMaker } = accounts;
  const trials = openTrials({
    context: createRegistryContext({
      ...ports.registry,
      gate: clock,
      pepper: secrets.pepper,
      now: clock.now,
      randomBytes,
    }),
    keys,
    keyMaker,
    box: secrets.box,
    security,
    isAnonymousAllowed: settings.trial === 'anonymous',
    async endWebhooks(accountId) {
      for (const { id } of await webhooks.list(accountId)) await webhooks.remove(id, accountId);
    },
    baseUrl,
  });

  let cancelTimer = () => {};
  let sweeping = Promise.resolve();
  function sweepLater(milliseconds: number): void {
    cancelTimer = setTimer(() => {
      sweeping = (clock.isOpen ? trials.sweep() : Promise.resolve())
        .catch((error: unknown) => logger.warn({ err: error }, 'expired requests for keys could not be ended'))
        .finally(() => sweepLater(SWEEP_MS));
    }, milliseconds);
  }
  sweepLater(0);

  return {
    ...trials,
    async close() {
      const last = sweeping;
      cancelTimer();
      await last;
      cancelTimer();
    },
  };
}
