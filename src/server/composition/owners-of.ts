import type { BillingMail, Person } from '../../accounts/billing/pack-payments.ts';
import { automaticPurchaseDeclinedMail, invoiceDeclinedMail } from '../../accounts/users/mails.ts';
import type { People } from '../../accounts/users/people.ts';
import type { Outbox } from '../../platform/mail/mail.ts';

export interface OwnersParts {
  /** Both are opened after the accounts, which ask for them later. */
  readonly people: () => Pick<People, 'staff'>;
  readonly outbox: () => Outbox;
  /** What operators know of accounts that nobody has registered. */
  readonly customers: { find(accountId: number): Promise<{ readonly email: string | null } | undefined> };
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
}

/** Who owns an account, for what is billed to them, and how they are written to. */
export function ownersOf({ people, outbox, customers, baseUrl }: OwnersParts) {
  async function personOf(accountId: number): Promise<Person> {
    const user = await people().staff.ofAccount(accountId);
    if (user) return { name: user.name, email: user.email };
    return { name: null, email: (await customers.find(accountId))?.email ?? null };
  }

  return {
    personOf,
    async mail(accountId: number, what: BillingMail): Promise<void> {
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
