import { createHmac } from 'node:crypto';
import { ApiError, notFound } from '../../api/calls/api-errors.ts';
import { refuseCapped } from '../../api/calls/principal.ts';
import { coversScopes } from '../../api/calls/scopes.ts';
import type { LinkListing, LinkServices } from '../../api/calls/services/link-services.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { toIsoTime } from '../../platform/clock/iso-time.ts';
import type { WriteGate } from '../../platform/clock/write-gate.ts';
import type { FindOwnerPrincipal } from '../owner-principal.ts';
import type { LinkStore, StoredLink } from './link-store.ts';

interface LinkServicesParts {
  readonly store: LinkStore;
  readonly gate: WriteGate;
  readonly findOwnerPrincipal: FindOwnerPrincipal;
  /** The secret that hashes the secrets of links. */
  readonly pepper: string;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Milliseconds. */
  readonly now: () => number;
  /** The server's public URL, without a trailing slash. */
  readonly baseUrl: () => string;
}

/** Links of an account. */
export const MAX_LINKS = 50;
/** 32 bytes are 43 characters of base64url. */
const TOKEN_BYTES = 32;

export function createLinkServices(parts: LinkServicesParts): LinkServices {
  const { store, gate, findOwnerPrincipal, pepper, randomBytes, now, baseUrl } = parts;
  // The same secret hashes API keys; no text is both.
  const hashOf = (token: string): string => createHmac('sha256', pepper).update(`link ${token}`).digest('hex');
  const isExpired = ({ expiresAt }: StoredLink): boolean => expiresAt !== null && Date.parse(expiresAt) <= now();

  return {
    async create(principal, { path, format, name, expiresAt }) {
      const { account, accountId, scopes } = principal;
      if (!account) throw new ApiError('forbidden', 'The key of the operator has no account to make links for.');
      refuseCapped(principal, 'links');
      gate.assertOpen();
      const token = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
      const link = {
        accountId,
        hash: hashOf(token),
        name,
        path,
        format,
        scopes,
        createdAt: toIsoTime(now()),
        expiresAt,
      };
      const stored = await store.add(link, MAX_LINKS);
      if (!stored) throw new ApiError('forbidden', `An account may have ${MAX_LINKS} links. Remove one first.`);
      return { ...toListing(stored), url: `${baseUrl()}/x/${token}.${format}` };
    },
    async list(principal) {
      const links = principal.account ? await store.list(principal.accountId) : [];
      return links.filter((link) => coversScopes(principal, link.scopes)).map(toListing);
    },
    async remove(principal, id) {
      gate.assertOpen();
      const found = principal.account && (await store.list(principal.accountId)).find((link) => link.id === id);
      const isOwn = found !== undefined && coversScopes(principal, found.scopes);
      if (!isOwn || !(await store.remove(id, principal.accountId))) throw notFound(`There is no link ${id}.`);
    },
    async open(token) {
      const link = await store.findByHash(hashOf(token));
      if (!link || isExpired(link)) return undefined;
      const owner = await findOwnerPrincipal(link.accountId);
      const { id, path, format, scopes } = link;
      return owner && { id, path, format, principal: { ...owner, scopes } };
    },
    noteUse: (id) => store.noteUse(id, toIsoTime(now())),
  };
}

const timeOrNull = (iso: string | null): string | null => (iso === null ? null : formatTime(Date.parse(iso)));

const toListing = (link: StoredLink): LinkListing => ({
  id: link.id,
  name: link.name,
  url: null,
  path: link.path,
  format: link.format,
  created_at: formatTime(Date.parse(link.createdAt)),
  expires_at: timeOrNull(link.expiresAt),
  last_used_at: timeOrNull(link.lastUsedAt),
  uses: link.uses,
});
