import { type BillingAdministration, BillingRefused } from '../../accounts/billing/billing-administration.ts';
import { CustomerAlreadyLinked } from '../../accounts/billing/model/billing-registry.ts';
import { type KeyAdministration, type NewKeyRequest, WrongPaymentProvider } from '../../accounts/key-administration.ts';
import { ControlError } from './control-messages.ts';

export const KEYS_ACTIONS = ['create', 'list', 'revoke', 'invoice', 'refund'] as const;
export type KeysActionName = (typeof KEYS_ACTIONS)[number];

export interface KeysActionParts {
  readonly keys: KeyAdministration;
  readonly billing: BillingAdministration;
}

export interface InvoiceOrder {
  readonly account: number;
  readonly status: 'declined' | 'paid';
}
export interface RefundOrder {
  readonly account: number;
  readonly requestId: string;
  readonly reason: string;
}

/**
 * Does an action of the keys command, in the server or in the command. The command has checked the request.
 * @returns the lines to print
 * @throws ControlError if it is impossible
 */
export async function keysAction(
  parts: KeysActionParts,
  action: KeysActionName,
  request: object,
): Promise<readonly object[]> {
  try {
    return await act(parts, action, request);
  } catch (error) {
    const isRefusal = [BillingRefused, CustomerAlreadyLinked, WrongPaymentProvider].some(
      (kind) => error instanceof kind,
    );
    throw isRefusal ? new ControlError((error as Error).message) : error;
  }
}

async function act({ keys, billing }: KeysActionParts, action: KeysActionName, request: object) {
  switch (action) {
    case 'create':
      return [await keys.create(request as NewKeyRequest)];
    case 'list':
      return keys.list();
    case 'revoke': {
      const { id } = request as { readonly id: number };
      if (!(await keys.revoke(id))) throw new ControlError(`there is no key ${id}`);
      return [{ id, revoked: true }];
    }
    case 'invoice': {
      const { account, status } = request as InvoiceOrder;
      return [await billing.invoice(account, status)];
    }
    case 'refund': {
      const { account, requestId, reason } = request as RefundOrder;
      return [await billing.refund(account, requestId, reason)];
    }
  }
}
