import type { Selectable } from 'kysely';
import type { SecretBox } from '../../api/calls/secret-box.ts';
import type { AlertFilter } from '../../domain/alerts/alert-filter.ts';
import type { AlertFormat } from '../../domain/alerts/alert-formats.ts';
import type { WebhookEventType } from '../../domain/webhook-types.ts';
import type {
  WebhookChargeTable,
  WebhookDeliveryTable,
  WebhookMessageTable,
  WebhookSubscriptionTable,
} from './sql-webhook-tables.ts';
import type { DeliveryCharge, DeliveryRow, EndReason, WebhookMessage, WebhookSubscription } from './webhook-store.ts';

/** The encryption context of a subscription's secrets. */
export const secretContext = (id: number): string => `webhook ${id}`;
/** That of its address, so that neither opens as the other. */
export const addressContext = (id: number): string => `address of webhook ${id}`;

export function toSubscription(row: Selectable<WebhookSubscriptionTable>, box: SecretBox): WebhookSubscription {
  const open = (sealed: string) => box.open(sealed, secretContext(row.id));
  return {
    id: row.id,
    accountId: row.account_id,
    scopes: JSON.parse(row.scopes) as string[],
    format: (row.format ?? 'ledgerline') as AlertFormat,
    url: row.sealed_url === null ? row.url : box.open(row.sealed_url, addressContext(row.id)),
    eventTypes: JSON.parse(row.event_types) as WebhookEventType[],
    sport: row.sport,
    eventId: row.event_id,
    filter: row.filter === null ? null : (JSON.parse(row.filter) as AlertFilter),
    quietSeconds: row.quiet_seconds ?? 0,
    secret: open(row.secret),
    previousSecret:
      row.previous_secret === null ? null : { secret: open(row.previous_secret), until: row.previous_until! },
    createdAt: row.created_at,
    createdAfter: row.created_after === null ? null : BigInt(row.created_after),
    isActive: row.is_active === 1,
    deactivated:
      row.deactivated_reason === null ? null : { reason: row.deactivated_reason as EndReason, at: row.deactivated_at! },
    failingSince: row.failing_since,
  };
}

export type MessageRow = Selectable<WebhookMessageTable> & { readonly is_paid: number };

export const toMessage = (row: MessageRow): WebhookMessage => ({
  id: row.id,
  webhookId: row.webhook_id,
  subscriptionId: row.subscription_id,
  eventType: row.event_type as WebhookMessage['eventType'],
  eventId: row.event_id,
  body: row.body,
  createdAt: row.created_at,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at,
  lastDeliveryId: row.last_delivery_id,
  isPaid: row.is_paid === 1,
});

export const toDelivery = (row: Selectable<WebhookDeliveryTable>): DeliveryRow => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  messageId: row.message_id,
  eventType: row.event_type as DeliveryRow['eventType'],
  eventId: row.event_id,
  attempt: row.attempt,
  parentDeliveryId: row.parent_delivery_id,
  statusCode: row.status_code,
  success: row.success === 1,
  error: row.error,
  givenUp: row.given_up === 1,
  nextRetryAt: row.next_retry_at,
  deliveredAt: row.delivered_at,
});

export const toCharge = (row: Selectable<WebhookChargeTable>): DeliveryCharge => ({
  webhookId: row.webhook_id,
  eventType: (row.event_type ?? 'injury') as DeliveryCharge['eventType'],
  accountId: row.account_id,
  credits: row.credits,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  statusCode: row.status_code,
});
