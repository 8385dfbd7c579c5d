import type { Generated } from 'kysely';

/** Times are milliseconds; booleans are 0 and 1. */
export interface WebhookSubscriptionTable {
  id: Generated<number>;
  account_id: number;
  /** JSON array. */
  scopes: string;
  url: string;
  /** JSON array. */
  event_types: string;
  sport: string | null;
  event_id: number | null;
  /** Encrypted, like `previous_secret`. */
  secret: string;
  previous_secret: string | null;
  previous_until: number | null;
  created_at: number;
  /** A log position, as text because it may exceed a safe integer. */
  created_after: string | null;
  is_active: number;
  deactivated_reason: string | null;
  deactivated_at: number | null;
  failing_since: number | null;
  /** Null: `ledgerline`. */
  format: string | null;
  /** The address, encrypted, if it has a secret; `url` then holds what may be shown of it. */
  sealed_url: string | null;
  /** JSON. */
  filter: string | null;
  /** Null: 0. */
  quiet_seconds: number | null;
  /** Messages that its service refused in a row; null: none. */
  refusals: number | null;
  /** When its owner was told that it has ended. */
  told_at: number | null;
  /** The runs that made the subscription and its secret; null if the call could not be repeated. */
  made_in: string | null;
  rotated_in: string | null;
}

export interface WebhookMessageTable {
  id: Generated<number>;
  webhook_id: string;
  subscription_id: number;
  event_type: string;
  event_id: number | null;
  body: string;
  created_at: number;
  attempts: number;
  /** Set only while the subscription exists and is active. */
  next_attempt_at: number | null;
  last_delivery_id: number | null;
  /** 1: a replay waits for its attempt. */
  is_replayed: number | null;
}

export interface WebhookDeliveryTable {
  id: Generated<number>;
  subscription_id: number;
  message_id: number;
  event_type: string;
  event_id: number | null;
  attempt: number;
  parent_delivery_id: number | null;
  status_code: number | null;
  success: number;
  error: string | null;
  given_up: number;
  next_retry_at: number | null;
  delivered_at: number;
}

export interface WebhookChargeTable {
  id: Generated<number>;
  webhook_id: string;
  account_id: number;
  credits: number;
  started_at: number;
  ended_at: number;
  status_code: number;
  /** 1: the charge is in the ledger. */
  is_taken: number;
  /** Null: an injury, from the time when nothing else had a price. */
  event_type: string | null;
  /** Shard of the subscription. Null: written before shards existed; counts as shard 0. */
  shard: number | null;
}

interface WebhookReplayTable {
  id: Generated<number>;
  subscription_id: number;
  begun_at: number;
  /** Set while the replay makes messages due: until when others wait for it. */
  begins_until: number | null;
}

interface WebhookQuietTable {
  subscription_id: number;
  event_id: number;
  /** The last time that a message about the event is or was due. */
  slot_at: number;
  message_id: number;
  /** When the last message about the event was delivered. */
  delivered_at: number | null;
  /** The change that was last put into a message. Its position as text because it may exceed a safe integer. */
  position: string;
  change_index: number;
}

interface WebhookStateTable {
  id: number;
  /** Position of the publisher, as text, in earlier versions. Now in `webhook_places`. */
  position: string | null;
  active_version: number;
}

export interface WebhookPublisherPositionTable {
  partition: string;
  /** As text because it may exceed a safe integer. */
  position: string;
  latest_at: number | null;
}

interface WebhookDispatcherTable {
  epoch: Generated<number>;
  owner: string;
  /** When the lease ends; null: never. */
  until: number | null;
}

interface WebhookShardTable {
  shard: number;
  /** Epoch of the holder. A free shard has no row. */
  epoch: number;
}

export interface WebhookTables {
  webhook_subscriptions: WebhookSubscriptionTable;
  webhook_messages: WebhookMessageTable;
  webhook_deliveries: WebhookDeliveryTable;
  webhook_charges: WebhookChargeTable;
  webhook_replays: WebhookReplayTable;
  webhook_quiet: WebhookQuietTable;
  /** One row. */
  webhook_state: WebhookStateTable;
  webhook_places: WebhookPublisherPositionTable;
  webhook_dispatchers: WebhookDispatcherTable;
  webhook_shards: WebhookShardTable;
}
