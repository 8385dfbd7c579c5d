import { type OpenedUsers, openUsers } from '../../accounts/users/open-users.ts';
import type { HashingOptions } from '../../accounts/users/password-hashing.ts';
import { DAY, MINUTE } from '../../domain/primitives/time.ts';
import type { Outbox } from '../../platform/mail/mail.ts';
import type { Environment } from './environment.ts';
import type { Ports, Secrets } from './ports.ts';

interface UserServicesParts {
  readonly ports: Pick<Ports, 'registry' | 'keys' | 'webhooks' | 'links' | 'bets' | 'myBooks' | 'sealKeys' | 'clock'>;
  readonly isRegistrationOpen: () => boolean;
  readonly secrets: Pick<Secrets, 'pepper'>;
  readonly environment: Pick<Environment, 'randomBytes' | 'later' | 'setTimer' | 'logger'>;
  readonly outbox: Outbox;
  readonly baseUrl: () => string;
  /** Ends what an account pays for. Repeated if it failed. */
  readonly endBilling: (accountId: number) => Promise<void>;
  /** The recurring jobs do not run: another server has them. */
  readonly isStandby?: boolean | undefined;
  /** For tests; absent: the default. */
  readonly hashing?: HashingOptions | undefined;
}

const ATTEND_MS = MINUTE;

/** Users, with their recurring jobs. The jobs run until they are closed. */
export function openUserServices(parts: UserServicesParts): OpenedUsers {
  const { ports, environment } = parts;
  const { now } = ports.clock;
  const { setTimer, logger } = environment;
  const opened = openUsers({
    ...ports.registry,
    ...parts.secrets,
    ...environment,
    keys: ports.keys,
    webhooks: ports.webhooks,
    links: ports.links,
    gate: ports.clock,
    now,
    outbox: parts.outbox,
    baseUrl: parts.baseUrl,
    isRegistrationOpen: parts.isRegistrationOpen,
    hashing: parts.hashing,
    endBilling: parts.endBilling,
    endBets: (accountId) => ports.bets.removeAll(accountId),
    endMyBooks: (accountId) => ports.myBooks.put(accountId, null),
    endSealKeys: ports.sealKeys.remove,
    async endWebhooks(accountId) {
      for (const { id } of await ports.webhooks.list(accountId)) await ports.webhooks.remove(id, accountId);
    },
  });

  let cancelTimer = () => {};
  let prunedAt = Number.NEGATIVE_INFINITY;
  let attending = Promise.resolve();

  async function attend(): Promise<void> {
    await opened.resume();
    // Nothing was started while the clock was doubted, so try again.
    if (!ports.clock.isOpen || now() - prunedAt < DAY) return;
    await opened.prune(now());
    prunedAt = now();
  }

  function attendLater(milliseconds = ATTEND_MS): void {
    cancelTimer = setTimer(() => {
      attending = attend()
        .catch((error: unknown) => logger.warn({ err: error }, 'what is too old of users could not be erased'))
        .finally(() => attendLater());
    }, milliseconds);
  }
  // At once: somebody waits for a mail that a crash has held up.
  if (!parts.isStandby) attendLater(0);

  return {
    ...opened,
    async close() {
      const [last, cancelled] = [attending, cancelTimer];
      cancelled();
      await last;
      // Wait for the last job.
      cancelTimer();
      await opened.close();
    },
  };
}
