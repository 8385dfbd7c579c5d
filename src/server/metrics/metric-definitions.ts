/** The definition of a metric. `docs/metrics.md` has a row for each. */
export interface Definition {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
}

const define = (type: Definition['type'], name: string, labels: readonly string[], help: string): Definition => ({
  name,
  type,
  labels,
  help,
});

/** Every metric of the server. Labels have few values: never ids, keys or paths. */
export const METRICS = {
  build: define('gauge', 'ledgerline_build_info', ['version', 'node'], '1; which version runs, on which Node'),
  requests: define(
    'counter',
    'ledgerline_requests_total',
    ['operation', 'status'],
    'Calls with a key that have ended, by operation (none: the request fits none) and class of status (2xx)',
  ),
  latency: define(
    'histogram',
    'ledgerline_request_duration_seconds',
    ['operation'],
    'From the arrival of a call to its answer; streams are not in it',
  ),
  refusals: define('counter', 'ledgerline_refusals_total', ['code'], 'Calls with a key refused, by code of the error'),
  credits: define('counter', 'ledgerline_credits_charged_total', [], 'Credits charged, of calls and deliveries'),
  messages: define(
    'counter',
    'ledgerline_ingest_messages_total',
    ['outcome'],
    'Feed messages, by outcome, from every way in',
  ),
  ingest: define(
    'histogram',
    'ledgerline_ingest_duration_seconds',
    [],
    'How long senders waited until their messages were taken, those of one hand-over together',
  ),
  groups: define('counter', 'ledgerline_log_commits_total', [], 'Groups of appends, each of one commit'),
  records: define('counter', 'ledgerline_log_records_total', [], 'Records appended to the log'),
  flushes: define(
    'histogram',
    'ledgerline_log_flush_duration_seconds',
    [],
    'How long the disk took to have commits of the log; a flush may serve several',
  ),
  projectionLag: define(
    'gauge',
    'ledgerline_projection_lag_events',
    ['projection'],
    'Records that the projection has yet to look at; `forecasts` is what the models have yet to learn',
  ),
  projectionLagSeconds: define(
    'gauge',
    'ledgerline_projection_lag_seconds',
    ['projection'],
    "From the recording of the last record that it holds to that of the log's last one",
  ),
  projectionState: define(
    'gauge',
    'ledgerline_projection_state',
    ['projection', 'state'],
    '1 for the state that it is in, 0 for the others',
  ),
  followerLag: define(
    'gauge',
    'ledgerline_follower_lag_events',
    ['follower'],
    'Records that what follows the log beside the projections has yet to look at',
  ),
  followerState: define(
    'gauge',
    'ledgerline_follower_state',
    ['follower', 'state'],
    '1 for the state that it is in, 0 for the others',
  ),
  cache: define('gauge', 'ledgerline_cache_bytes', ['cache'], 'About how much memory it takes'),
  cacheLimit: define(
    'gauge',
    'ledgerline_cache_limit_bytes',
    ['cache'],
    'What it may come to; without a sample where no number of bytes bounds it',
  ),
  quarantined: define('gauge', 'ledgerline_quarantined_messages', [], 'Messages in quarantine now'),
  quarantinedBytes: define('gauge', 'ledgerline_quarantined_bytes', [], 'What the texts of these messages take'),
  disk: define('gauge', 'ledgerline_disk_bytes', ['file'], 'What the files of the data folder take'),
  kindBytes: define(
    'gauge',
    'ledgerline_log_kind_bytes',
    ['kind'],
    'About what the rows of this type take in the log, without its index: an estimate from 2,000 records all over it, kept for an hour or until the log has grown by a tenth; `archived` is what is left there of archived odds',
  ),
  kindRecords: define(
    'gauge',
    'ledgerline_log_kind_records',
    ['kind'],
    'About how many records of this type the log has, by the same estimate',
  ),
  free: define('gauge', 'ledgerline_disk_free_bytes', [], 'What the server may still write there'),
  backupLag: define(
    'gauge',
    'ledgerline_backup_lag_seconds',
    [],
    'How long something has waited to be backed up; 0: everything is. Only with `BACKUP_URL`',
  ),
  backupFailures: define(
    'counter',
    'ledgerline_backup_failures_total',
    [],
    'Tries of the backup that failed. Only with `BACKUP_URL`',
  ),
  backupTime: define(
    'gauge',
    'ledgerline_backup_last_success_timestamp_seconds',
    [],
    'When the backup last held everything. Only with `BACKUP_URL`',
  ),
  standbyRole: define(
    'gauge',
    'ledgerline_standby_role',
    ['role'],
    '1 for what this server is: the `first`, which writes, or a `standby`. Only where a standby follows, and at it',
  ),
  standbyLag: define('gauge', 'ledgerline_standby_lag_seconds', [], 'Of a standby: how old what it shows is'),
  leaseTime: define(
    'gauge',
    'ledgerline_standby_lease_seconds',
    [],
    'For how long the lease of the first is still good; 0: it has run out. Only where one was seen',
  ),
  drillTime: define(
    'gauge',
    'ledgerline_backup_drill_timestamp_seconds',
    [],
    'When the newest backup was last restored to try it. Only with `BACKUP_DRILL`',
  ),
  drillPassed: define(
    'gauge',
    'ledgerline_backup_drill_passed',
    [],
    'Whether that went well (1) or not (0). Only with `BACKUP_DRILL`',
  ),
  owed: define(
    'gauge',
    'ledgerline_webhooks_owed_messages',
    [],
    'Messages of webhooks that wait for an attempt, the next of a failed one included',
  ),
  attempts: define(
    'counter',
    'ledgerline_webhook_attempts_total',
    ['outcome'],
    'Attempts of deliveries, by what came of them',
  ),
  streams: define(
    'gauge',
    'ledgerline_open_streams',
    ['kind'],
    'Streams that are open: of scores, of changes, of agents, and of the live page',
  ),
  feedRequests: define(
    'counter',
    'ledgerline_feed_requests_total',
    ['feed', 'outcome'],
    'Requests of live connectors, by what came of them',
  ),
  feedMessages: define(
    'counter',
    'ledgerline_feed_messages_total',
    ['feed', 'kind', 'outcome'],
    'Feed messages of live connectors, by kind and by what became of them',
  ),
  feedLag: define(
    'gauge',
    'ledgerline_feed_lag_seconds',
    ['feed'],
    'How long ago the last success of a live connector was; without a sample before the first one',
  ),
  feedState: define(
    'gauge',
    'ledgerline_feed_state',
    ['feed', 'state'],
    '1 for the state that the live connector is in, 0 for the others',
  ),
  feedHeld: define(
    'gauge',
    'ledgerline_feed_held',
    ['feed'],
    'Games of which the last answers are held back, since time runs backwards in them',
  ),
  feedFlaps: define(
    'counter',
    'ledgerline_feed_flaps_total',
    ['feed'],
    'How often something was held back that later answers did not confirm',
  ),
  feedBudget: define(
    'gauge',
    'ledgerline_feed_budget_remaining',
    ['feed'],
    'Credits of the provider that may still be spent on this UTC day',
  ),
  loopDelay: define(
    'gauge',
    'ledgerline_event_loop_delay_seconds',
    ['quantile'],
    'How much later than they should timers ran since the last scrape; quantile 1 is the longest delay',
  ),
  scrapeErrors: define(
    'counter',
    'ledgerline_scrape_errors_total',
    ['metric'],
    'Metrics that a scrape had to leave out; the log has the error',
  ),
  cpu: define('counter', 'process_cpu_seconds_total', [], 'Processor time, of the system too'),
  started: define('gauge', 'process_start_time_seconds', [], 'When the process began, in seconds since 1970'),
  resident: define('gauge', 'process_resident_memory_bytes', [], 'Memory of the process'),
  heapUsed: define('gauge', 'nodejs_heap_size_used_bytes', [], 'Of the heap of JavaScript, what is in use'),
  heapTotal: define('gauge', 'nodejs_heap_size_total_bytes', [], 'What the heap of JavaScript has taken'),
  heapLimit: define('gauge', 'nodejs_heap_size_limit_bytes', [], 'What it may come to'),
  external: define('gauge', 'nodejs_external_memory_bytes', [], 'Memory beside the heap: buffers, above all'),
} as const satisfies Readonly<Record<string, Definition>>;
