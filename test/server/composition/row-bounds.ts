/**
 * What bounds the rows of a table:
 * - `rows`: a number of rows, of an owner or of all; `drivenBy` is the test that goes past it
 * - `age`: rows of requests that have a limit in time, and are removed when they are old
 * - `owner`: at most as many as its owners have, one or a few each
 * - `log`: facts, which the log keeps: the feed and paid calls add them
 * - `operator`: only operators and staff add rows
 * - `money`: only a payment adds a row
 * - `work`: what waits to be done; done rows are removed
 * - `fixed`: a number that the program fixes
 */
export type RowBound =
  | { readonly by: 'rows'; readonly most: number; readonly drivenBy: string; readonly why: string }
  | {
      readonly by: 'age' | 'owner' | 'log' | 'operator' | 'money' | 'work' | 'fixed';
      readonly why: string;
      readonly drivenBy?: string;
    };

const OWN_ROWS = 'test/accounts/users/own-rows.contract.ts';
const HERE = 'test/server/composition/row-bounds.long.test.ts';
const OF_FEED = { by: 'log', why: 'found in facts of the feed' } as const;

/** Every table of the registry, of both profiles. A new table needs a row here, and a bound. */
export const REGISTRY_BOUNDS: Readonly<Record<string, RowBound>> = {
  account_rewards: { by: 'owner', why: 'one an account and kind of reward' },
  accounts: { by: 'owner', why: 'one a user who has verified an address, those of operators, and anonymous trials' },
  address_accounts: { by: 'owner', why: 'one a verified address and account: a mail must have arrived there' },
  anonymous_trials: {
    by: 'rows',
    most: 10_000,
    drivenBy: 'test/accounts/trial/trials.contract.ts',
    why: 'of all, and 2 a day and address; each ends with its account after 24 hours',
  },
  api_keys: {
    by: 'rows',
    most: 1000,
    drivenBy: HERE,
    why: 'active ones by the plan, and 1,000 revoked ones an account',
  },
  attempts: { by: 'age', why: 'each kind has a limit by address; removed after an hour, one kind after a day' },
  auto_recharges: { by: 'owner', why: 'one an account' },
  background_jobs: { by: 'work', why: 'a job is deleted when it is done', drivenBy: OWN_ROWS },
  bets: {
    by: 'rows',
    most: 5000,
    drivenBy: 'test/accounts/bets/bet-store.contract.ts',
    why: 'of an account',
  },
  charged_accounts: { by: 'owner', why: 'one an account' },
  cluster_settings: { by: 'fixed', why: 'names that the program knows' },
  coupon_redemptions: { by: 'operator', why: 'one an account and coupon' },
  coupons: { by: 'operator', why: 'staff make them' },
  customers: { by: 'owner', why: 'one an account' },
  decider_states: { by: 'log', why: 'one a stream' },
  email_changes: { by: 'rows', most: 1, drivenBy: OWN_ROWS, why: 'the newest one of a user' },
  email_takebacks: { by: 'age', why: '5 of a user in 7 days; removed after them' },
  external_ids: OF_FEED,
  feed_ages: { by: 'fixed', why: 'one row of all leagues' },
  feed_budgets: { by: 'fixed', why: 'one a provider and month' },
  feed_lease: { by: 'fixed', why: 'one a provider' },
  fixtures: OF_FEED,
  forecast_record: { by: 'log', why: 'one an event and market' },
  granted_addresses: { by: 'owner', why: 'one a verified address: a mail must have arrived there' },
  id_counters: { by: 'fixed', why: 'one a kind' },
  invoice_numbers: { by: 'fixed', why: 'one a year' },
  invoices: { by: 'money', why: 'one an invoice of the provider' },
  issued_invoices: { by: 'money', why: 'one a charge of money' },
  key_reveals: { by: 'age', why: 'one a new key; removed after 10 minutes' },
  mails: { by: 'work', why: 'three of a kind an hour and address; removed once they are sent or given up' },
  my_books: { by: 'owner', why: 'one an account' },
  named_sources: OF_FEED,
  names: OF_FEED,
  password_resets: { by: 'rows', most: 1, drivenBy: OWN_ROWS, why: 'the newest one of a user' },
  payments: { by: 'money', why: 'one a payment' },
  plan_changes: { by: 'operator', why: 'one a plan' },
  quarantine: {
    by: 'rows',
    most: 1_000_000,
    drivenBy: 'test/ingest/pipeline/quarantine-bound.test.ts',
    why: 'QUARANTINE_MAX_MESSAGES and QUARANTINE_MAX_MB; more are only those that an operator has dismissed',
  },
  quarantine_claims: { by: 'owner', why: 'one a quarantined message' },
  quarantine_counts: { by: 'owner', why: 'at most one a quarantined message' },
  quarantine_keys: { by: 'owner', why: 'a few a quarantined message' },
  read_links: {
    by: 'rows',
    most: 50,
    drivenBy: 'test/accounts/links/link-store.contract.ts',
    why: 'of an account',
  },
  registrations: { by: 'rows', most: 20, drivenBy: OWN_ROWS, why: 'of an address, beside those whose link works' },
  idempotency_records: {
    by: 'age',
    why: 'one a call with an idempotency key, which has a limit a minute; removed after a day',
  },
  running_calls: { by: 'work', why: 'one a running call with an idempotency key' },
  schema_versions: { by: 'fixed', why: 'one a subject' },
  seal_keys: { by: 'owner', why: 'one an account, for the salts of its receipts' },
  security_events: {
    by: 'rows',
    most: 10_000,
    drivenBy: OWN_ROWS,
    why: 'of a user; a million of all; critical ones by staff alone',
  },
  sessions: { by: 'rows', most: 100, drivenBy: OWN_ROWS, why: 'of a user; the oldest ends' },
  sheet_grades: {
    by: 'rows',
    most: 200_000,
    drivenBy: 'test/web/grade/grade-counter.contract.ts',
    why: '20 a day and address, and so many of all',
  },
  subscriptions: { by: 'owner', why: 'one an account' },
  trial_requests: {
    by: 'rows',
    most: 10_000,
    drivenBy: 'test/accounts/trial/trials.contract.ts',
    why: 'of all, and 20 an hour and address; each ends after 15 minutes',
  },
  untried_keys: { by: 'owner', why: 'keys of quarantined messages' },
  used_oauth_states: { by: 'age', why: 'by the limit of an address; removed after 10 minutes' },
  users: { by: 'age', why: '20 registrations an hour and address; unverified ones are removed after 30 days' },
  waiting_coupons: { by: 'owner', why: 'one an account' },
  webhook_charges: { by: 'log', why: 'one a paid message; removed with it' },
  webhook_deliveries: { by: 'age', why: 'removed after 30 days' },
  webhook_dispatchers: { by: 'fixed', why: 'one a process' },
  webhook_messages: { by: 'age', why: 'removed 7 days after the last attempt' },
  webhook_places: { by: 'fixed', why: 'one a partition' },
  webhook_replays: { by: 'age', why: '5 an hour and subscription' },
  webhook_quiet: { by: 'age', why: 'one a subscription and event, for 7 days' },
  webhook_shards: { by: 'fixed', why: 'a number of the program' },
  webhook_state: { by: 'fixed', why: 'one row' },
  webhook_subscriptions: {
    by: 'rows',
    most: 1000,
    drivenBy: HERE,
    why: '100 active ones an account, and 1,000 with those that have ended',
  },
  wrong_coupons: { by: 'age', why: '10 an hour and account; removed after it' },
};

/** What else the file of the embedded profile holds. */
export const EMBEDDED_BOUNDS: Readonly<Record<string, RowBound>> = {
  checksums: { by: 'fixed', why: 'one a table, and one of the log' },
  counted_rows: { by: 'fixed', why: 'one a count' },
  records: { by: 'log', why: 'the log itself' },
  streams: { by: 'log', why: 'one a stream' },
  forecast_results: { by: 'log', why: 'one an event' },
  forecast_memories: { by: 'fixed', why: 'one a league, of 4 MiB at most' },
  forecast_results_up_to: { by: 'log', why: 'one row' },
  stored_folds: { by: 'fixed', why: 'all contents take 512 MiB at most: what was written longest ago is removed' },
  stored_fold_parts: { by: 'fixed', why: 'parts of `stored_folds`' },
  projection_builds: { by: 'fixed', why: 'the generations of a projection' },
  sqlite_sequence: { by: 'fixed', why: 'one a table' },
};
