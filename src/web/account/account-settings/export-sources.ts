import type { BetStore } from '../../../accounts/bets/bet-store.ts';
import type { CustomerBilling, Invoice } from '../../../accounts/billing/model/billing-services.ts';
import { type LedgerLine, readLedgerLines } from '../../../accounts/credits/ledger-reader.ts';
import type { ApiKey } from '../../../accounts/keys/key-registry.ts';
import type { MyBooksStore } from '../../../accounts/my-books/my-books-store.ts';
import type { CreditBalance } from '../../../api/calls/services/account-services.ts';
import type { OwnBet } from '../../../api/calls/services/bet-services.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import { readNewestFirst } from '../../../platform/sql/newest-first.ts';
import type { AccountExportSources } from './account-settings-parts.ts';

interface ExportSourcesParts {
  readonly log: Pick<EventLog, 'readStream'>;
  readonly balanceOf: (accountId: number) => Promise<CreditBalance | undefined>;
  readonly keysOf: (accountId: number) => Promise<readonly ApiKey[]>;
  readonly billing: Pick<CustomerBilling, 'invoices'>;
  readonly bets: Pick<BetStore, 'list'>;
  readonly myBooks: Pick<MyBooksStore, 'find'>;
}

/** Bets that are read at once. */
const BETS_AT_ONCE = 500;

/** Reads what is stored about an account, in the words and shapes of the API. */
export const createExportSources = ({
  log,
  balanceOf,
  keysOf,
  billing,
  bets,
  myBooks,
}: ExportSourcesParts): AccountExportSources => ({
  account: async (accountId) => ({
    id: accountId,
    ...(await balanceOf(accountId)),
    my_books: await myBooks.find(accountId),
  }),
  async *keys(accountId) {
    for (const key of await keysOf(accountId)) yield shownKey(key);
  },
  async *bets(accountId) {
    let afterId: number | undefined;
    for (;;) {
      const page = await bets.list(accountId, { afterId, limit: BETS_AT_ONCE });
      for (const bet of page) yield shownBet(bet);
      if (page.length < BETS_AT_ONCE) return;
      afterId = page.at(-1)!.id;
    }
  },
  async *invoices(accountId) {
    const invoices = readNewestFirst((before, limit) => billing.invoices(accountId, { before, limit }));
    for await (const invoice of invoices) yield shownInvoice(invoice);
  },
  async *ledger(accountId) {
    for await (const line of readLedgerLines(log, accountId)) yield shownLine(line);
  },
});

const timeOf = (iso: string): string => formatTime(Date.parse(iso));
const timeOrNull = (iso: string | null): string | null => (iso === null ? null : timeOf(iso));

const shownKey = ({ id, name, prefix, scopes, createdAt, lastUsedAt, expiresAt, revokedAt }: ApiKey) => ({
  id,
  name,
  prefix,
  scopes,
  created_at: timeOf(createdAt),
  last_used_at: timeOrNull(lastUsedAt),
  expires_at: timeOrNull(expiresAt),
  revoked_at: timeOrNull(revokedAt),
});

const shownBet = ({ id, leg, sport, price, decimal, stake, book, placedAt, createdAt }: OwnBet) => ({
  id,
  ...leg,
  sport,
  price,
  decimal,
  stake,
  book,
  placed_at: formatTime(placedAt),
  created_at: formatTime(createdAt),
});

const shownInvoice = (invoice: Invoice) => ({
  id: invoice.id,
  number: invoice.number,
  at: timeOf(invoice.at),
  status: invoice.status,
  line: invoice.line,
  price_cents: invoice.priceCents,
  discount_cents: invoice.discountCents,
  total_cents: invoice.totalCents,
  currency: invoice.currency,
  customer_name: invoice.customerName,
  customer_email: invoice.customerEmail,
  card: invoice.card,
  test: invoice.isTest,
});

const shownLine = ({ at, type, credits, about, requestId, keyId }: LedgerLine) => ({
  at: timeOf(at),
  type,
  credits,
  about,
  request_id: requestId,
  key_id: keyId,
});
