import type { KeyRegistry } from '../../../accounts/keys/key-registry.ts';
import type { SecurityLog } from '../../../accounts/users/security-log.ts';
import type { AccountServices } from '../../../api/calls/account-services.ts';
import { done, page, redirect } from '../answers.ts';
import { notFound } from '../not-found.ts';
import type { VisitCaller } from '../owner-caller.ts';
import { asRefused } from '../refused-calls.ts';
import { wholeNumber } from '../values.ts';
import type { Refusal, SignedInVisit, SiteAnswer, SiteRoute } from '../visit.ts';
import { askedKey } from './key-form.ts';
import { gonePage, keysPage, revealPage } from './key-pages.ts';
import { type KeyReveals, SHOWN_WITHIN } from './key-reveals.ts';
import { pathOfKey } from './noted-keys.ts';

export interface KeysPagesParts {
  readonly callerOf: VisitCaller;
  /** Which note what they do in the security log (`notedKeys`). */
  readonly accounts: Pick<AccountServices, 'createKey' | 'listKeys' | 'revokeKey'>;
  readonly keys: Pick<KeyRegistry, 'find'>;
  readonly reveals: KeyReveals;
  readonly security: Pick<SecurityLog, 'note'>;
  /** Milliseconds. */
  readonly now: () => number;
}

const PATH = '/api-keys';

/** The keys of the account: its owner makes, sees once and revokes them. */
export function keysRoutes(parts: KeysPagesParts): readonly SiteRoute[] {
  const { callerOf, accounts, keys, reveals, security, now } = parts;

  async function shown(visit: SignedInVisit, refusal?: Refusal): Promise<SiteAnswer> {
    return page('API keys', keysPage(visit, await accounts.listKeys(await callerOf(visit)), refusal));
  }

  /** @throws ApiError not_found where it is none of the account */
  async function ownKey({ params, session }: SignedInVisit) {
    const id = wholeNumber(params['key_id']!);
    const key = id === undefined ? undefined : await keys.find(id);
    if (key?.accountId !== session.user.accountId) throw notFound();
    return key;
  }

  async function make(visit: SignedInVisit): Promise<SiteAnswer> {
    const asked = askedKey(visit.form);
    const caller = await callerOf(visit);
    const made = await accounts.createKey(caller, asked).catch((error: unknown) => {
      throw asRefused(error);
    });
    const until = now() + SHOWN_WITHIN;
    await reveals.keep({ keyId: made.id, sessionId: visit.session.id, secret: made.key!, until });
    return redirect(`${pathOfKey(made.id)}/reveal`, done(`The key ${made.name} is made.`));
  }

  async function reveal(visit: SignedInVisit): Promise<SiteAnswer> {
    const { id, name, revokedAt } = await ownKey(visit);
    const { session, client, path, isHead } = visit;
    const gone = page('This key is shown no more', gonePage(), { status: 410 });
    if (revokedAt !== null) return gone;
    const title = `The key ${name}`;
    if (isHead) return (await reveals.isKept(id, session.id, now())) ? page(title, revealPage(undefined)) : gone;
    const secret = await reveals.take(id, session.id, now());
    if (secret === undefined) return gone;
    await security.note({ type: 'key_revealed', userId: session.user.id, path, client });
    return page(title, revealPage(secret));
  }

  async function revoke(visit: SignedInVisit): Promise<SiteAnswer> {
    const { id, name } = await ownKey(visit);
    await accounts.revokeKey(await callerOf(visit), id);
    await reveals.drop(id);
    return redirect(PATH, done(`The key ${name} is revoked.`));
  }

  return [
    { method: 'GET', path: PATH, access: 'signed-in', run: (visit) => shown(visit) },
    { method: 'POST', path: PATH, access: 'signed-in', lists: ['scopes'], run: make, refused: shown },
    { method: 'GET', path: `${PATH}/{key_id}/reveal`, access: 'signed-in', run: reveal },
    { method: 'POST', path: `${PATH}/{key_id}/revoke`, access: 'signed-in', run: revoke, refused: shown },
  ];
}
