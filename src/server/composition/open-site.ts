import { newestLedgerEntries } from '../../accounts/credits/ledger-entries.ts';
import { ledgerRecords } from '../../accounts/credits/ledger-records.ts';
import type { Accounts } from '../../accounts/open-accounts.ts';
import { createUsageReader } from '../../accounts/usage/create-usage-reader.ts';
import type { OpenedPeople } from '../../accounts/users/open-people.ts';
import type { Operation } from '../../api/calls/operation.ts';
import type { Pipeline } from '../../api/calls/pipeline.ts';
import type { KeylessCaller } from '../../api/http/operation-route.ts';
import type { Responder } from '../../api/http/responder.ts';
import type { Limits } from '../../api/limits/limits.ts';
import { STAFF_STREAM, staffActed } from '../../domain/accounts/staff-acts.ts';
import { formatTime } from '../../domain/time.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { ExportedParts } from '../../web/account/account/account-parts.ts';
import { accountRoutes } from '../../web/account/account/account-routes.ts';
import type { AdminParts } from '../../web/account/admin/admin-parts.ts';
import { adminRoutes } from '../../web/account/admin/admin-routes.ts';
import { billingRoutes } from '../../web/account/billing/billing-routes.ts';
import { CARD_ASSETS, cardEntryOf } from '../../web/account/billing/card-entry.ts';
import { siteCookies } from '../../web/account/cookies.ts';
import { dashboardRoutes } from '../../web/account/dashboard/dashboard-routes.ts';
import { createGithubClient } from '../../web/account/github/github-client.ts';
import { githubRoutes } from '../../web/account/github/github-routes.ts';
import { keysRoutes } from '../../web/account/keys/keys-routes.ts';
import { notedKeys } from '../../web/account/keys/noted-keys.ts';
import { visitCaller } from '../../web/account/owner-caller.ts';
import { playgroundRoutes } from '../../web/account/playground/playground-routes.ts';
import { sessionCallers } from '../../web/account/session-callers.ts';
import { signInRoutes } from '../../web/account/sign-in/sign-in-routes.ts';
import { createSite, type Site } from '../../web/account/site-routes.ts';
import { usageRoutes } from '../../web/account/usage/usage-routes.ts';
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
