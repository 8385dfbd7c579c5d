import { newestLedgerEntries } from '../accounts/credits/ledger-entries.ts';
import { ledgerRecords } from '../accounts/credits/ledger-records.ts';
import type { Accounts } from '../accounts/open-accounts.ts';
import type { Operation } from '../calls/operation.ts';
import type { Pipeline } from '../calls/pipeline.ts';
import { STAFF_STREAM, staffActed } from '../domain/accounts/staff-acts.ts';
import { formatTime } from '../domain/time.ts';
import type { KeylessCaller } from '../http/operation-route.ts';
import type { Responder } from '../http/responder.ts';
import type { Limits } from '../limits/limits.ts';
import type { Config } from '../settings/config.ts';
import type { ExportedParts } from '../site/account/account-parts.ts';
import { accountRoutes } from '../site/account/account-routes.ts';
import type { AdminParts } from '../site/admin/admin-parts.ts';
import { adminRoutes } from '../site/admin/admin-routes.ts';
import { billingRoutes } from '../site/billing/billing-routes.ts';
import { CARD_ASSETS, cardEntryOf } from '../site/billing/card-entry.ts';
import { siteCookies } from '../site/cookies.ts';
import { dashboardRoutes } from '../site/dashboard/dashboard-routes.ts';
import { createGithubClient } from '../site/github/github-client.ts';
import { githubRoutes } from '../site/github/github-routes.ts';
import { keysRoutes } from '../site/keys/keys-routes.ts';
import { notedKeys } from '../site/keys/noted-keys.ts';
import { visitCaller } from '../site/owner-caller.ts';
import { playgroundRoutes } from '../site/playground/playground-routes.ts';
import { sessionCallers } from '../site/session-callers.ts';
import { signInRoutes } from '../site/sign-in/sign-in-routes.ts';
import { createSite, type Site } from '../site/site-routes.ts';
import { usageRoutes } from '../site/usage/usage-routes.ts';
import { createUsageReader } from '../usage/create-usage-reader.ts';
import type { OpenedPeople } from '../users/open-people.ts';
import type { Environment } from './environment.ts';
import type { Ports, Secrets } from './ports.ts';

export interface OpenSiteParts {
  readonly ports: Ports;
  readonly settings: Pick<Config, 'trustProxy' | 'registration' | 'github' | 'stripe'>;
  readonly secrets: Secrets;
  readonly environment: Pick<Environment, 'randomBytes' | 'setTimer' | 'logger'>;
  readonly accounts: Accounts;
  readonly people: Pick<OpenedPeople, 'people' | 'security'>;
  readonly operations: readonly Operation[];
  readonly pipeline: Pipeline;
  readonly responder: Responder;
  readonly limits: Limits;
  readonly baseUrl: () => string;
  readonly simulated: () => boolean;
}

export interface OpenedSite extends Site {
  /** Who calls the account's own routes from a browser that is signed in. */
  readonly keyless: KeylessCaller;
}

/** The browser application, with all of its pages. */
export function openSite(parts: OpenSiteParts): OpenedSite {
  const { ports, settings, secrets, environment, accounts, operations, pipeline, responder, limits, baseUrl } = parts;
  const { people, security } = parts.people;
  const { randomBytes, setTimer, logger } = environment;
  const { now } = ports.clock;
  const cookies = siteCookies(baseUrl);
  const { ownerOf } = accounts;
  const callerOf = visitCaller(ownerOf);
  const services = notedKeys(accounts.services, security);
  const usage = createUsageReader({ store: ports.store, now });
  const { customerBilling, staffBilling } = accounts;
  const github =
    settings.github &&
    createGithubClient({
      ...{ settings: settings.github, redirectUri: () => `${baseUrl()}/oauth/github/callback`, fetch, setTimer },
    });
  const hasGithub = github !== undefined;
  const balanceOf = async (accountId: number) => {
    const owner = await ownerOf(accountId);
    return owner && services.balance(owner);
  };
  const keysOf = (accountId: number) => ports.keys.list(accountId);

  const exported: ExportedParts = {
    account: async (accountId) => ({ id: accountId, ...(await balanceOf(accountId)) }),
    keys: async (accountId) =>
      (await keysOf(accountId)).map(({ id, name, prefix, scopes, createdAt, lastUsedAt, expiresAt, revokedAt }) => ({
        ...{ id, name, prefix, scopes, created_at: createdAt, last_used_at: lastUsedAt },
        ...{ expires_at: expiresAt, revoked_at: revokedAt },
      })),
    invoices: customerBilling.invoices,
    async *ledger(accountId) {
      for await (const { position, type, data } of ledgerRecords(ports.log, accountId)) {
        yield { position: String(position), type, data };
      }
    },
  };

  const recordStaffAct: AdminParts['recordStaffAct'] = async (act) => {
    ports.clock.assertOpen();
    const fact = staffActed({ ...act, at: formatTime(now()), reason: null });
    await ports.log.append(STAFF_STREAM, [fact], 'any');
  };

  const site = createSite({
    routes: [
      ...signInRoutes({ people, cookies, isOpen: settings.registration === 'open', hasGithub }),
      ...githubRoutes({
        ...{ client: github, people, used: ports.usedStates, box: secrets.box, cookies, now, randomBytes, log: logger },
      }),
      ...accountRoutes({ people, security, cookies, hasGithub, exported }),
      ...dashboardRoutes({ callerOf, accounts: services, billing: customerBilling, usage, baseUrl, now }),
      ...keysRoutes({ callerOf, accounts: services, keys: ports.keys, reveals: ports.keyReveals, security, now }),
      ...playgroundRoutes({ callerOf, operations, limits, now, pipeline, responder }),
      ...usageRoutes({ usage, keysOf, now }),
      ...billingRoutes({
        ...{ billing: customerBilling, cardEntry: cardEntryOf(settings.stripe), security, baseUrl, randomBytes },
      }),
      ...adminRoutes({
        ...{
          people,
          securityLog: security,
          billing: staffBilling,
          invoicesOf: customerBilling.invoices,
          balanceOf,
          now,
        },
        ledgerEnd: (accountId, limit) => newestLedgerEntries(ports, accountId, limit),
        recordStaffAct,
      }),
    ],
    assets: Object.values(CARD_ASSETS),
    ...{ people, security, cookies, secret: secrets.session, trustProxy: settings.trustProxy },
    ...{ baseUrl, randomBytes, responder, simulated: parts.simulated },
  });
  return {
    ...site,
    keyless: sessionCallers({ people, cookies, ownerOf, trustProxy: settings.trustProxy, baseUrl }),
  };
}
