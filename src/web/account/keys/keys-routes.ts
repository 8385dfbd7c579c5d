import type { KeyRegistry } from '../../../accounts/keys/key-registry.ts';
import type { SecurityLog } from '../../../accounts/users/security-log.ts';
import type { AccountServices } from '../../../api/calls/services/account-services.ts';
import { parseWholeNumber } from '../form-values.ts';
import { notFound, toRefused } from '../page-errors.ts';
import { pageResponse, redirect, successFlash } from '../page-responses.ts';
import type { PageResponse, PageRoute, Refusal, SignedInRequest } from '../page-route.ts';
import type { SessionOwner } from '../session-callers.ts';
import { gonePage, keysPage, readKeyForm, revealPage } from './key-pages.ts';
import { type KeyRevealStore, REVEAL_LIFETIME_MS } from './key-reveal-store.ts';
import { keyPath } from './key-security-log.ts';

interface KeysPagesParts {
  readonly callerOf: SessionOwner;
  /** Must note key changes in the security log (`logKeyChanges`). */
  readonly accounts: Pick<AccountServices, 'createKey' | 'listKeys' | 'revokeKey'>;
  readonly keys: Pick<KeyRegistry, 'find'>;
  readonly reveals: KeyRevealStore;
  readonly security: Pick<SecurityLog, 'note'>;
  /** Milliseconds. */
  readonly now: () => number;
}

const PATH = '/api-keys';

/** The pages on which owners make their keys, see them once and revoke them. */
export function keysRoutes(parts: KeysPagesParts): readonly PageRoute[] {
  const { callerOf, accounts, keys, reveals, security, now } = parts;

  async function shown(visit: SignedInRequest, refusal?: Refusal): Promise<PageResponse> {
    return pageResponse('API keys', keysPage(visit, await accounts.listKeys(await callerOf(visit)), refusal));
  }

  /** @throws ApiError not_found if the account has no such key */
  async function ownKey({ params, session }: SignedInRequest) {
    const id = parseWholeNumber(params['key_id']!);
    const key = id === undefined ? undefined : await keys.find(id);
    if (key?.accountId !== session.user.accountId) throw notFound();
    return key;
  }

  async function make(visit: SignedInRequest): Promise<PageResponse> {
    const input = readKeyForm(visit.form);
    const caller = await callerOf(visit);
    const made = await accounts.createKey(caller, input).catch((error: unknown) => {
      throw toRefused(error);
    });
    const until = now() + REVEAL_LIFETIME_MS;
    await reveals.save({ keyId: made.id, sessionId: visit.session.id, secret: made.key!, until });
    return redirect(`${keyPath(made.id)}/reveal`, successFlash(`The key ${made.name} is made.`));
  }

  async function reveal(visit: SignedInRequest): Promise<PageResponse> {
    const { id, name, revokedAt } = await ownKey(visit);
    const { session, client, path, isHead } = visit;
    const gone = pageResponse('This key is shown no more', gonePage(), { status: 410 });
    if (revokedAt !== null) return gone;
    const title = `The key ${name}`;
    if (isHead)
      return (await reveals.isAvailable(id, session.id, now())) ? pageResponse(title, revealPage(undefined)) : gone;
    const secret = await reveals.consume(id, session.id, now());
    if (secret === undefined) return gone;
    await security.note({ type: 'key_revealed', userId: session.user.id, path, client });
    return pageResponse(title, revealPage(secret));
  }

  async function revoke(visit: SignedInRequest): Promise<PageResponse> {
    const { id, name } = await ownKey(visit);
    await accounts.revokeKey(await callerOf(visit), id);
    await reveals.drop(id);
    return redirect(PATH, successFlash(`The key ${name} is revoked.`));
  }

  return [
    { method: 'GET', path: PATH, access: 'signed-in', run: (visit) => shown(visit) },
    { method: 'POST', path: PATH, access: 'signed-in', lists: ['scopes'], run: make, refused: shown },
    { method: 'GET', path: `${PATH}/{key_id}/reveal`, access: 'signed-in', run: reveal },
    { method: 'POST', path: `${PATH}/{key_id}/revoke`, access: 'signed-in', run: revoke, refused: shown },
  ];
}
