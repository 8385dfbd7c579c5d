import { readNewestLedgerLines } from '../../accounts/credits/ledger-reader.ts';
import type { Accounts } from '../../accounts/open-accounts.ts';
import type { TrialApprovals } from '../../accounts/trial/create-trial-approvals.ts';
import type { OpenedUsers } from '../../accounts/users/open-users.ts';
import type { FeedAges } from '../../api/calls/feed-age.ts';
import type { Operation } from '../../api/calls/operation/operation.ts';
import type { Pipeline } from '../../api/calls/pipeline/pipeline.ts';
import type { LinkServices } from '../../api/calls/services/link-services.ts';
import type { WebhookServices } from '../../api/calls/services/webhook-services.ts';
import type { KeylessCaller } from '../../api/http/endpoints/operation-route.ts';
import type { PageWrapper } from '../../api/http/endpoints/public-pages.ts';
import type { Responder } from '../../api/http/responder.ts';
import type { Limits } from '../../api/limits/limits.ts';
import { createLink } from '../../api/operations/account/create-link.ts';
import { createStaffActed, STAFF_STREAM } from '../../domain/accounts/staff-events.ts';
import { ownValue } from '../../domain/primitives/own-properties.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { Plan } from '../../platform/settings/plans-and-packs.ts';
import { nameOfSlug } from '../../read-models/rendering/bookmakers.ts';
import { type AccountPages, createAccountPages } from '../../web/account/account-pages.ts';
import { accountSettingsRoutes } from '../../web/account/account-settings/account-settings-routes.ts';
import { createExportSources } from '../../web/account/account-settings/export-sources.ts';
import type { AdminParts } from '../../web/account/admin/admin-parts.ts';
import { adminRoutes } from '../../web/account/admin/admin-routes.ts';
import { readLeagueFreshness } from '../../web/account/admin/league-freshness.ts';
import { alertRoutes } from '../../web/account/alerts/alert-routes.ts';
import { betsRoutes } from '../../web/account/bets/bets-routes.ts';
import { billingRoutes } from '../../web/account/billing/billing-routes.ts';
import { CARD_ASSETS, chooseCardEntry } from '../../web/account/billing/card-entry.ts';
import { dashboardRoutes } from '../../web/account/dashboard/dashboard-routes.ts';
import { deviceRoutes } from '../../web/account/device/device-routes.ts';
import { createNamedEventFinder } from '../../web/account/find-named-event.ts';
import { createGithubClient } from '../../web/account/github/github-client.ts';
import { githubRoutes } from '../../web/account/github/github-routes.ts';
import { logKeyChanges } from '../../web/account/keys/key-security-log.ts';
import { keysRoutes } from '../../web/account/keys/keys-routes.ts';
import { createKnownBrowsers } from '../../web/account/known-browsers.ts';
import { linksRoutes } from '../../web/account/links/links-routes.ts';
import { myBooksRoutes } from '../../web/account/my-books/my-books-routes.ts';
import { playgroundRoutes } from '../../web/account/playground/playground-routes.ts';
import { createRememberedNext } from '../../web/account/remembered-next.ts';
import { createSessionCallers, createSessionOwner } from '../../web/account/session-callers.ts';
import { leadToSetup } from '../../web/account/setup/lead-to-setup.ts';
import type { SetupDesk } from '../../web/account/setup/setup-desk.ts';
import { setupRoutes } from '../../web/account/setup/setup-routes.ts';
import { SETUP_ASSETS } from '../../web/account/setup/summary-step.ts';
import { signInRoutes } from '../../web/account/sign-in/sign-in-routes.ts';
import { usageRoutes } from '../../web/account/usage/usage-routes.ts';
import type { SitePages } from '../../web/layout/navigation.ts';
import { createPageCookies } from '../../web/layout/page-cookies.ts';
import type { Environment } from './environment.ts';
import type { Ports, Secrets } from './ports.ts';

interface AccountPagesParts {
  readonly ports: Ports;
  readonly settings: Pick<Config, 'trustProxy' | 'github' | 'stripe' | 'bookmakers' | 'packs' | 'smtpUrl'>;
  /** Whether anybody may register now. */
  readonly isRegistrationOpen: () => boolean;
  readonly secrets: Secrets;
  readonly environment: Pick<Environment, 'randomBytes' | 'setTimer' | 'logger'>;
  readonly accounts: Accounts;
  /** In force now, by slug. */
  readonly plans: () => Readonly<Record<string, Plan>>;
  readonly people: Pick<OpenedUsers, 'users' | 'security'>;
  readonly links: LinkServices;
  readonly approvals: TrialApprovals;
  readonly operations: readonly Operation[];
  readonly pipeline: Pipeline;
  readonly responder: Responder;
  readonly limits: Limits;
  readonly baseUrl: () => string;
  readonly simulated: () => boolean;
  readonly pages: SitePages;
  readonly desk: AdminParts['desk'];
  readonly backup: AdminParts['backup'];
  /** Absent: this server is not set up in the browser. */
  readonly setup: SetupDesk | undefined;
  readonly webhooks: WebhookServices;
  readonly health: AdminParts['health'];
  readonly recent: AdminParts['recent'];
  readonly feedAges: FeedAges;
}

interface OpenedAccountPages extends AccountPages {
  /** Leads from a page to the setup, if the server waits for its owner. */
  readonly leadToSetup: PageWrapper;
  /** Identifies the caller of the account's own API routes by the session of the browser. */
  readonly keyless: KeylessCaller;
}

/** All pages of accounts, with their routes. A new page's routes are added to the list here. */
export function openAccountPages(parts: AccountPagesParts): OpenedAccountPages {
  const { ports, settings, secrets, environment, accounts, operations, pipeline, responder, limits, baseUrl } = parts;
  const { users, security } = parts.people;
  const { randomBytes, setTimer, logger } = environment;
  const { now } = ports.clock;
  const cookies = createPageCookies(baseUrl);
  const browsers = createKnownBrowsers({ cookies, secret: secrets.session, randomBytes });
  const { findOwnerPrincipal } = accounts;
  const callerOf = createSessionOwner(findOwnerPrincipal);
  const services = logKeyChanges(accounts.services, security);
  const { customerBilling, staffBilling, usage } = accounts;
  const github =
    settings.github &&
    createGithubClient({
      settings: settings.github,
      redirectUri: () => `${baseUrl()}/oauth/github/callback`,
      fetch,
      setTimer,
    });
  const hasGithub = github !== undefined;
  const balanceOf = async (accountId: number) => {
    const owner = await findOwnerPrincipal(accountId);
    return owner && services.balance(owner);
  };
  const keysOf = (accountId: number) => ports.keys.list(accountId);

  const exportSources = createExportSources({
    log: ports.log,
    balanceOf,
    keysOf,
    billing: customerBilling,
    bets: ports.bets,
    myBooks: ports.myBooks,
  });

  const recordStaffAct: AdminParts['recordStaffAct'] = async (act) => {
    ports.clock.assertOpen();
    const fact = createStaffActed({ ...act, at: formatTime(now()), reason: null });
    await ports.log.append(STAFF_STREAM, [fact], 'any');
  };

  const findEvent = createNamedEventFinder({ store: ports.store, now });

  let isOwned = false;
  const hasOwner = async (): Promise<boolean> => {
    isOwned ||= await users.operators.hasStaff();
    return isOwned;
  };
  const setup = parts.setup && { desk: parts.setup, hasOwner };

  const site = createAccountPages({
    routes: [
      ...signInRoutes({
        users,
        cookies,
        browsers,
        rememberedNext: createRememberedNext(cookies, secrets.session),
        isRegistrationOpen: parts.isRegistrationOpen,
        hasGithub,
      }),
      ...(setup ? setupRoutes({ ...setup, users, cookies, browsers, now }) : []),
      ...githubRoutes({
        client: github,
        users,
        usedStates: ports.usedOauthStates,
        box: secrets.box,
        cookies,
        browsers,
        now,
        randomBytes,
        log: logger,
      }),
      ...accountSettingsRoutes({ users, security, cookies, hasGithub, exportSources }),
      ...dashboardRoutes({
        callerOf,
        accounts: services,
        billing: customerBilling,
        usage,
        plans: parts.plans,
        baseUrl,
        now,
      }),
      ...keysRoutes({ callerOf, accounts: services, keys: ports.keys, reveals: ports.keyReveals, security, now }),
      ...deviceRoutes({ callerOf, approvals: parts.approvals }),
      ...linksRoutes({
        callerOf,
        links: parts.links,
        pipeline,
        createLink: createLink(() => operations),
      }),
      ...betsRoutes({
        callerOf,
        pipeline,
        nameOf: (slug) => ownValue(settings.bookmakers, slug) ?? nameOfSlug(slug),
        pages: parts.pages,
        findEvent,
        now,
      }),
      ...myBooksRoutes({ callerOf, pipeline, names: settings.bookmakers, pages: parts.pages }),
      ...playgroundRoutes({ callerOf, operations, limits, now, pipeline, responder }),
      ...alertRoutes({ callerOf, webhooks: parts.webhooks, findEvent, isMailSent: settings.smtpUrl !== undefined }),
      ...usageRoutes({ usage, keysOf, now }),
      ...billingRoutes({
        billing: customerBilling,
        balanceOf,
        cardEntry: chooseCardEntry(settings.stripe),
        security,
        plans: parts.plans,
        packs: settings.packs,
        now,
        baseUrl,
        randomBytes,
      }),
      ...adminRoutes({
        users,
        securityLog: security,
        billing: staffBilling,
        invoicesOf: customerBilling.invoices,
        balanceOf,
        now,
        ledgerEnd: (accountId, limit) => readNewestLedgerLines(ports, accountId, limit),
        recordStaffAct,
        desk: parts.desk,
        backup: parts.backup,
        health: parts.health,
        recent: parts.recent,
        leagues: () => readLeagueFreshness({ store: ports.store, feedAges: parts.feedAges, now }),
      }),
    ],
    assets: [...Object.values(CARD_ASSETS), ...Object.values(SETUP_ASSETS)],
    users,
    security,
    cookies,
    secret: secrets.session,
    trustProxy: settings.trustProxy,
    baseUrl,
    randomBytes,
    responder,
    simulated: parts.simulated,
    pages: parts.pages,
  });
  return {
    ...site,
    leadToSetup: setup ? leadToSetup({ ...setup, cookies }) : (page) => page,
    keyless: createSessionCallers({
      users,
      cookies,
      ownerOf: findOwnerPrincipal,
      trustProxy: settings.trustProxy,
      baseUrl,
    }),
  };
}
