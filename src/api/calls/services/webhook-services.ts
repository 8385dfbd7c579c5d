import type { AlertFilter } from '../../../domain/alerts/alert-filter.ts';
import type { AlertFormat } from '../../../domain/alerts/alert-formats.ts';
import type { WebhookEventType } from '../../../domain/webhook-types.ts';
import type { Principal } from '../principal.ts';
import type { SecretBox } from '../secret-box.ts';

/** A webhook subscription without its secret. */
export interface Webhook {
  readonly id: number;
  /** Without its secrets: see `maskAddress`. */
  readonly url: string;
  readonly format: AlertFormat;
  /** What it is told of: `filter.types`, if there are any. */
  readonly event_types: readonly WebhookEventType[];
  readonly sport: string | null;
  readonly event_id: number | null;
  readonly filter: AlertFilter | null;
  readonly quiet: Quiet;
  readonly is_active: boolean;
}

/** At most one message about an event in so many seconds; 0: one for each change. */
interface Quiet {
  readonly min_interval_seconds: number;
}

export interface CreatedWebhook extends Webhook {
  readonly signing_secret: string;
}

type NewWebhook = Pick<Webhook, 'url' | 'event_types' | 'sport' | 'event_id'> & {
  /** Absent: `ledgerline`. */
  readonly format?: AlertFormat;
  readonly filter?: AlertFilter | null;
  /** Absent: as the format has it. */
  readonly quiet?: Quiet | null;
};

export type AlertPreview =
  | {
      readonly lines: readonly string[];
      /** When the change was observed: ISO 8601. */
      readonly at: string;
      /** It was imported when it was long over: no alert is sent of such changes. */
      readonly isHistory: boolean;
    }
  /** There is none among the last facts, of which so many were looked at. */
  | { readonly lines: null; readonly searched: number };

/** One delivery attempt. Times are ISO 8601. */
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

export interface DeliveryFilter {
  /** Only attempts with smaller ids. */
  readonly afterId?: number;
  readonly limit: number;
  readonly success?: boolean;
  readonly givenUp?: boolean;
  readonly eventType?: WebhookEventType;
}

/**
 * Webhook subscriptions of an account: the port behind `/v1/webhooks`. A scoped key can see and manage only those that
 * it could have created.
 */
export interface WebhookServices {
  // `run` is the id of the run: see `OperationContext`.
  /** @throws ApiError validation_error for a URL that is not allowed, forbidden if there are too many subscriptions */
  create(principal: Principal, webhook: NewWebhook, run?: string): Promise<CreatedWebhook>;
  list(principal: Principal): Promise<readonly Webhook[]>;
  /** @throws ApiError not_found, as all methods below */
  remove(principal: Principal, id: number): Promise<void>;
  /** Newest first. */
  deliveries(
    principal: Principal,
    query: DeliveryFilter & { readonly id: number },
  ): Promise<readonly WebhookDelivery[]>;
  /**
   * @returns the id of the message
   * @throws ApiError bad_request if the subscription is not active
   */
  test(principal: Principal, id: number, run?: string): Promise<string>;
  /** @returns the new secret */
  rotateSecret(principal: Principal, id: number, run?: string): Promise<string>;
  /**
   * @param after milliseconds, or the id of an attempt
   * @returns how many of the stored messages are sent again
   * @throws ApiError bad_request if the subscription is not active or has no such attempt; concurrency_limit_exceeded
   * while the previous replay runs, rate_limit_exceeded after too many
   */
  replay(
    principal: Principal,
    id: number,
    after: { readonly from: number } | { readonly deliveryId: number },
  ): Promise<number>;
  /** What an alert would have said of the last real change that this filter lets pass. */
  preview(principal: Principal, filter: AlertFilter): Promise<AlertPreview>;
  /** Whether this is a token of a link that ends mails. */
  isEndToken(token: string): boolean;
  /** Ends the subscription of a link in its mails. @returns whether the token is one of this server */
  endByToken(token: string): Promise<boolean>;
  /** Seals the secrets in stored answers. */
  readonly secrets: SecretBox;
}
