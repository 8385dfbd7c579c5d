import type { SecurityEventType, SecurityLog } from '../../../accounts/users/security-log.ts';
import type { Principal } from '../../../api/calls/principal.ts';
import type { AccountServices } from '../../../api/calls/services/account-services.ts';

type KeyServices = Pick<AccountServices, 'createKey' | 'revokeKey'>;

/**
 * Wraps the services so that the security log notes when the owner of an account creates or revokes a key, on a page or
 * over the API. Changes by an API key are not noted: they belong to no session and so to no user.
 */
export function logKeyChanges<Services extends KeyServices>(
  services: Services,
  log: Pick<SecurityLog, 'note'>,
): Services {
  async function note(type: SecurityEventType, { owner }: Principal, keyId: number): Promise<void> {
    if (!owner) return;
    const { userId, ip, userAgent } = owner;
    await log.note({ type, userId, path: keyPath(keyId), client: { ip, userAgent } });
  }

  return {
    ...services,
    async createKey(principal, key) {
      const made = await services.createKey(principal, key);
      // Null if an earlier call of the same run made the key.
      if (made.key !== null) await note('key_created', principal, made.id);
      return made;
    },
    async revokeKey(principal, id) {
      await services.revokeKey(principal, id);
      await note('key_revoked', principal, id);
    },
  };
}

export const keyPath = (keyId: number): string => `/api-keys/${keyId}`;
