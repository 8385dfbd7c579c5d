import type { BillingMailKind, Payer } from '../../accounts/billing/payments/payment-processor.ts';
import { automaticPurchaseDeclinedMail, invoiceDeclinedMail } from '../../accounts/users/user-mails.ts';
import type { UserService } from '../../accounts/users/user-service.ts';
import type { Outbox } from '../../platform/mail/mail.ts';

interface AccountOwnersParts {
  /** Both are opened after the accounts, which ask for them later. */
  readonly people: () => Pick<UserService, 'staff'>;
  readonly outbox: () => Outbox;
  /** What operators know of accounts that nobody has registered. */
  readonly customers: { find(accountId: number): Promise<{ readonly email: string | null } | undefined> };
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
}

/** Who owns an account, for what is billed to them, and how they are written to. */
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
