import type { WebhookEventType } from '../../domain/webhook-types.ts';

/** Something that subscribers may be told. */
export interface Told {
  readonly eventType: WebhookEventType;
  readonly eventId: number;
  readonly sport: string;
  readonly league: string;
  /** `data` of the request's body: flat, `event_id` beside the members of the snapshot, the movement or the injury. */
  readonly data: Readonly<Record<string, unknown>>;
  /** When its source observed it (ISO 8601). */
  readonly observedAt: string;
  /** When the server learned it (ISO 8601): `timestamp` of the body. */
  readonly at: string;
  /** The record that it comes from, and its place among what that record tells: names it, in every run. */
  readonly position: bigint;
  readonly index: number;
}

/** Whether anybody would be told. Undefined as an id: of some event of the sport. */
export type IsWanted = (eventType: WebhookEventType, sport: string, eventId?: number) => boolean;
