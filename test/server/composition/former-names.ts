/** Gives a fresh folder the names that earlier versions stored, with their indexes. */
export const FORMER_NAMES = `
  alter table external_ids rename column swapped to turned;
  alter table quarantine rename to waiting;
  alter table waiting rename column throttle_ms to sparing;
  drop index quarantine_keys_key;
  drop index quarantine_keys_fingerprint;
  alter table quarantine_keys rename to waiting_keys;
  create index waiting_keys_key on waiting_keys (key);
  create index waiting_keys_fingerprint on waiting_keys (fingerprint);
  alter table quarantine_counts rename to waiting_numbers;
  alter table quarantine_claims rename to taken;
  alter table background_jobs rename to errands;
  alter table charged_accounts rename to charged_elsewhere;
  drop index idempotency_records_by_time;
  alter table idempotency_records rename to remembered_answers;
  create index remembered_answers_by_time on remembered_answers (kept_at);
  alter table forecast_results rename to learnt_results;
  alter table forecast_results_up_to rename to learnt_up_to;
`;
