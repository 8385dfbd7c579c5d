import type { Kysely } from 'kysely';
import type { KeyTables } from '../keys/sqlite-keys.ts';
import type { BilledAccount } from './billing-registry.ts';

/** By its id, or by its e-mail in any case of letters. */
export async function findAccount(
  registry: Kysely<any>,
  named: { readonly id: number } | { readonly email: string },
): Promise<BilledAccount | undefined> {
  const accounts = (registry as Kysely<Pick<KeyTables, 'accounts'>>).selectFrom('accounts').selectAll();
  const found =
    'id' in named
      ? accounts.where('id', '=', named.id)
      : accounts.where('email', '=', named.email.trim().toLowerCase());
  const row = await found.executeTakeFirst();
  if (!row) return undefined;
  const { id, plan, created_at: createdAt, granted_credits: credits, granted_at: at } = row;
  return { id, plan, createdAt, order: credits === null ? null : { credits, at: at ?? createdAt } };
}
