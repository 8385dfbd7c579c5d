import type { BillingMailKind, Payer } from '../../accounts/billing/payments/payment-processor.ts';
import { automaticPurchaseDeclinedMail, invoiceDeclinedMail } from '../../accounts/users/user-mails.ts';
import type { UserService } from '../../accounts/users/user-service.ts';
import type { Outbox } from '../../platform/mail/mail.ts';

interface AccountOwnersParts {
  /** Users and outbox are opened after the accounts, so the accounts get functions. */
  readonly people: () => Pick<UserService, 'staff'>;
  readonly outbox: () => Outbox;
  /** Accounts that only an operator created. */
  readonly customers: { find(accountId: number): Promise<{ readonly email: string | null } | undefined> };
  /** The public address, without a trailing slash. */
  readonly baseUrl: () => string;
}

/** Who owns an account: the payer of its invoices, and the address of its mails. */
export function accountOwners({ people, outbox, customers, baseUrl }: AccountOwnersParts) {
  async function personOf(accountId: number): Promise<Payer> {
    const user = await people().staff.ofAccount(accountId);
    if (user) return { name: user.name, email: user.email };
    return { name: null, email: (await customers.find(accountId))?.email ?? null };
  }

  return {
    personOf,
    async mail(accountId: number, what: BillingMailKind): Promise<void> {
      const { email } = await personOf(accountId);
      if (email === null) return;
      const billing = `${baseUrl()}/billing`;
      await outbox().add(
        what === 'invoice_declined'
          ? invoiceDeclinedMail(email, billing)
          : automaticPurchaseDeclinedMail(email, billing),
      );
    },
  };
}
