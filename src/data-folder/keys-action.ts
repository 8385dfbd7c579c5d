import type { KeyOrder, KeysAdministration } from '../registry/keys-administration.ts';
import { ControlError } from './control-messages.ts';

/** What the keys command asks for, done here or in the server alike. The command has checked the request. */
export async function keysAction(keys: KeysAdministration, action: 'create' | 'list' | 'revoke', request: object) {
  switch (action) {
    case 'create':
      return [await keys.create(request as KeyOrder)];
    case 'list':
      return keys.list();
    case 'revoke': {
      const { id } = request as { readonly id: number };
      if (!(await keys.revoke(id))) throw new ControlError(`there is no key ${id}`);
      return [{ id, revoked: true }];
    }
  }
}
