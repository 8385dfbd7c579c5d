import { type DeliveryAttempt, MAX_REFUSALS } from './webhook-store.ts';

/** A message of attempts, and its subscription, before they are recorded. */
export interface MessageState {
  readonly id: number;
  readonly subscription_id: number;
  readonly attempts: number;
  readonly is_active: number;
  readonly failing_since: number | null;
  readonly refusals: number | null;
  readonly quiet_seconds: number | null;
}

interface SubscriptionState {
  readonly id: number;
  isActive: boolean;
  failingSince: number | null;
  refusals: number;
}

/** A delivery row to be written, with the new state of its message. */
interface DeliveryInsert {
  readonly subscriptionId: number;
  readonly messageId: number;
  readonly eventType: string;
  readonly eventId: number | null;
  readonly attempt: number;
  readonly parent: number | null;
  readonly statusCode: number | null;
  readonly success: number;
  readonly error: string | null;
  readonly givenUp: number;
  readonly retryAt: number | null;
  readonly at: number;
}

/** What attempts change. */
export interface AttemptEffects {
  readonly recorded: readonly DeliveryInsert[];
  /** Subscriptions whose health has changed. */
  readonly health: readonly SubscriptionState[];
  readonly deactivated: readonly { readonly id: number; readonly reason: string; readonly at: number }[];
  /** When quiet subscriptions were told of events. */
  readonly told: readonly { readonly subscriptionId: number; readonly eventId: number; readonly at: number }[];
}

/**
 * What attempts change, in their order: deliveries, the health of subscriptions, and which of them end. A subscription
 * ends where an attempt says so, and after `MAX_REFUSALS` refusals without a success between.
 * @param standing the states of their messages; one whose subscription was removed is missing
 */
export function effectsOfAttempts(
  attempts: readonly DeliveryAttempt[],
  standing: readonly MessageState[],
): AttemptEffects {
  const made = new Map(standing.map((row) => [row.id, row.attempts]));
  const quiet = new Set(standing.filter((row) => row.quiet_seconds !== null).map((row) => row.subscription_id));
  const subscriptions = new Map<number, SubscriptionState>();
  for (const { subscription_id: id, is_active, failing_since, refusals } of standing) {
    subscriptions.set(id, {
      id,
      isActive: is_active === 1,
      failingSince: failing_since,
      refusals: refusals ?? 0,
    });
  }
  const recorded: DeliveryInsert[] = [];
  const health = new Set<SubscriptionState>();
  const deactivated: AttemptEffects['deactivated'][number][] = [];
  const told: AttemptEffects['told'][number][] = [];
  for (const attempted of attempts) {
    const { message, success, at, refused } = attempted;
    const before = made.get(message.id);
    const subscription = subscriptions.get(message.subscriptionId);
    // The subscription was removed, or this attempt is recorded already.
    if (before === undefined || subscription === undefined || before > message.attempts) continue;
    const refusals = success ? 0 : subscription.refusals + Number(refused ?? false);
    const reason = attempted.deactivate ?? (refusals >= MAX_REFUSALS ? 'refused' : undefined);
    const mayRetry = subscription.isActive && reason === undefined;
    const row = rowOf(attempted, mayRetry ? attempted.retryAt : null);
    recorded.push(row);
    made.set(message.id, row.attempt);
    const { subscriptionId, eventId } = message;
    if (success && eventId !== null && quiet.has(subscriptionId)) told.push({ subscriptionId, eventId, at });
    const failingSince = success ? null : (subscription.failingSince ?? at);
    if (!attempted.skipped && (failingSince !== subscription.failingSince || refusals !== subscription.refusals)) {
      Object.assign(subscription, { failingSince, refusals });
      health.add(subscription);
    }
    if (reason === undefined || !subscription.isActive) continue;
    subscription.isActive = false;
    deactivated.push({ id: subscription.id, reason, at });
  }
  return { recorded, health: [...health], deactivated, told };
}

const rowOf = ({ message, success, at, ...attempted }: DeliveryAttempt, retryAt: number | null): DeliveryInsert => ({
  subscriptionId: message.subscriptionId,
  messageId: message.id,
  eventType: message.eventType,
  eventId: message.eventId,
  attempt: message.attempts + 1,
  parent: message.lastDeliveryId,
  statusCode: attempted.statusCode,
  success: Number(success),
  error: attempted.error,
  givenUp: Number(attempted.givenUp),
  retryAt,
  at,
});
