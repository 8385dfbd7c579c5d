import type { WebhookEventType } from '../../../domain/webhook-types.ts';
import type { Principal } from '../principal.ts';
import type { SecretBox } from '../secret-box.ts';

/** A subscription, without its secret. */
export interface Webhook {
  readonly id: number;
  readonly url: string;
  readonly event_types: readonly WebhookEventType[];
  readonly sport: string | null;
  readonly event_id: number | null;
  readonly is_active: boolean;
}

export interface CreatedWebhook extends Webhook {
  readonly signing_secret: string;
}

type NewWebhook = Pick<Webhook, 'url' | 'event_types' | 'sport' | 'event_id'>;

/** One attempt. Times are ISO 8601. */
export interface WebhookDelivery {
  readonly id: number;
  readonly event_type: WebhookEventType | 'test';
  readonly event_id: number | null;
  readonly attempt: number;
  readonly parent_delivery_id: number | null;
  readonly status_code: number | null;
  readonly success: boolean;
  readonly error: string | null;
  readonly given_up: boolean;
  readonly next_retry_at: string | null;
  readonly delivered_at: string;
}

/** Which attempts are asked for. */
export interface DeliveryFilter {
  /** Only rows with smaller ids. */
  readonly afterId?: number;
  readonly limit: number;
  readonly success?: boolean;
  readonly givenUp?: boolean;
  readonly eventType?: WebhookEventType;
}

/**
 * What an account does with its subscriptions: the port behind `/v1/webhooks`. A scoped key manages those that it could
 * have made itself; the others are not there for it.
 */
export interface WebhookServices {
  // `run`: see `OperationContext`.
  /** @throws ApiError validation_error for a URL that is refused, forbidden where there are too many */
  create(principal: Principal, wish: NewWebhook, run?: string): Promise<CreatedWebhook>;
  list(principal: Principal): Promise<readonly Webhook[]>;
  /** @throws ApiError not_found, as all that follow */
  remove(principal: Principal, id: number): Promise<void>;
  /** Newest first. */
  deliveries(
    principal: Principal,
    query: DeliveryFilter & { readonly id: number },
  ): Promise<readonly WebhookDelivery[]>;
  /** @returns what the message is called. @throws ApiError bad_request where the subscription is not active */
  test(principal: Principal, id: number, run?: string): Promise<string>;
  /** @returns the new secret */
  rotateSecret(principal: Principal, id: number, run?: string): Promise<string>;
  /**
   * @param after milliseconds, or the id of an attempt
   * @returns how many messages are sent again: of those that are kept
   * @throws ApiError bad_request where the subscription is not active, or has no such attempt;
   * concurrency_limit_exceeded while the replay before is under way, rate_limit_exceeded after too many
   */
  replay(
    principal: Principal,
    id: number,
    after: { readonly from: number } | { readonly deliveryId: number },
  ): Promise<number>;
  /** For answers that are repeated: their secrets are kept sealed. */
  readonly secrets: SecretBox;
}
