import { decideQuietDelivery } from '../../../src/webhooks/store/quiet-deliveries.ts';
import { planQuietMessages, type QuietSlot } from '../../../src/webhooks/store/quiet-slots.ts';
import { allocateShards, LeaseLost, shardOf } from '../../../src/webhooks/store/webhook-shards.ts';
import {
  type DeliveryAttempt,
  type DeliveryCharge,
  type DeliveryRow,
  MAX_REFUSALS,
  MessageNotAdded,
  type NewMessage,
  publicationTime,
  ReplayRunning,
  TooManyReplays,
  TooManySubscriptions,
  type WebhookMessage,
  type WebhookStore,
  type WebhookSubscription,
} from '../../../src/webhooks/store/webhook-store.ts';

type Mutable<T> = { -readonly [Member in keyof T]: T[Member] };
/** @property isReplayed a replay waits for its attempt */
type Message = Mutable<Omit<WebhookMessage, 'isPaid'>> & { isReplayed: boolean };
type Row = Mutable<DeliveryRow>;

/** A webhook store in memory: for tests and a single process. */
export function createMemoryWebhookStore(): WebhookStore {
  const subscriptions = new Map<number, Mutable<WebhookSubscription>>();
  const messages = new Map<number, Message>();
  const rows = new Map<number, Row>();
  const charges = new Map<string, { readonly charge: DeliveryCharge; readonly shard: number; isCollected: boolean }>();
  /** Start times by subscription. */
  const replays = new Map<number, number[]>();
  const positions = new Map<string, bigint>();
  const refusals = new Map<number, number>();
  const told = new Set<number>();
  const slots = new Map<string, Omit<QuietSlot, 'message'> & { readonly messageId: number }>();
  /** When the last message of a subscription about an event was delivered. */
  const deliveredAt = new Map<string, number>();
  /** Creation time of the last published message by partition. */
  const latest = new Map<string, number>();
  /** Subscription ids by the run that made them; and the run that made a secret, by subscription id. */
  const madeIn = new Map<string, number>();
  const rotatedIn = new Map<number, string | undefined>();
  const leases = createMemoryWebhookLeases();
  const last = { subscription: 0, message: 0, row: 0 };
  let version = 0;

  const isActive = (id: number): boolean => subscriptions.get(id)?.isActive === true;
  const messagesOf = (id: number): Message[] => [...messages.values()].filter((one) => one.subscriptionId === id);
  const rowsOf = (id: number): Row[] => [...rows.values()].filter((one) => one.subscriptionId === id);
  const shown = ({ isReplayed, ...message }: Message): WebhookMessage => ({
    ...message,
    isPaid: charges.has(message.webhookId),
  });
  const isPending = ({ nextAttemptAt }: Message): boolean => nextAttemptAt !== null;

  function promiseNothing({ lastDeliveryId }: WebhookMessage | Message): void {
    const row = lastDeliveryId === null ? undefined : rows.get(lastDeliveryId);
    if (row) row.nextRetryAt = null;
  }

  function endPending(subscriptionId: number): void {
    for (const message of messagesOf(subscriptionId).filter(isPending)) {
      promiseNothing(message);
      Object.assign(message, { nextAttemptAt: null, isReplayed: false });
    }
  }

  /** Undefined if the message is skipped. */
  function insert(message: NewMessage): Message | undefined {
    const { subscriptionId, webhookId, createdAt } = message;
    if (!isActive(subscriptionId)) return undefined;
    if (messagesOf(subscriptionId).some((one) => one.webhookId === webhookId)) return undefined;
    const id = ++last.message;
    const inserted = { id, ...message, attempts: 0, nextAttemptAt: createdAt, lastDeliveryId: null, isReplayed: false };
    messages.set(id, inserted);
    return inserted;
  }

  /** The same messages as the plan says, in the same slots. */
  function insertQuiet(given: readonly NewMessage[], createdAtOf: (message: NewMessage) => number): void {
    const byEvent = new Map<string, NewMessage[]>();
    for (const message of given) {
      const key = `${message.subscriptionId} ${message.eventId}`;
      byEvent.set(key, [...(byEvent.get(key) ?? []), message]);
    }
    for (const [key, ofEvent] of byEvent) {
      const slot = slots.get(key);
      const held = slot && messages.get(slot.messageId);
      const waits = held !== undefined && held.attempts === 0 && held.nextAttemptAt === slot!.at;
      const plan = planQuietMessages(slot && { ...slot, message: waits ? held : null }, ofEvent);
      for (const { message, position, index } of plan.extended) {
        Object.assign(messages.get(message.id)!, { body: message.body, eventType: message.eventType });
        slots.set(key, { ...slot!, position, index });
      }
      for (const { quiet, slot: change, dueAt, ...message } of plan.added) {
        const made = insert({ ...message, createdAt: createdAtOf(message) });
        if (!made) continue;
        made.nextAttemptAt = Math.max(dueAt, made.createdAt);
        const of = { subscriptionId: message.subscriptionId, eventId: message.eventId! };
        slots.set(key, { ...of, ...change, at: made.nextAttemptAt, messageId: made.id });
      }
    }
  }

  function recordOne(attempted: DeliveryAttempt): void {
    const { charge, success, at } = attempted;
    const { id, subscriptionId, webhookId } = attempted.message;
    if (charge && !charges.has(webhookId)) {
      charges.set(webhookId, { charge, shard: shardOf(subscriptionId), isCollected: false });
    }
    const message = messages.get(id);
    const subscription = subscriptions.get(subscriptionId);
    // The subscription was removed, or this attempt is recorded already.
    if (!message || !subscription || message.attempts > attempted.message.attempts) return;
    const refused = success ? 0 : (refusals.get(subscriptionId) ?? 0) + Number(attempted.refused ?? false);
    const deactivate = attempted.deactivate ?? (refused >= MAX_REFUSALS ? 'refused' : undefined);
    if (!attempted.skipped) refusals.set(subscriptionId, refused);
    const mayRetry = subscription.isActive && deactivate === undefined;
    const nextRetryAt = mayRetry ? attempted.retryAt : null;
    promiseNothing(attempted.message);
    const row = rowOf(attempted, ++last.row, nextRetryAt);
    rows.set(row.id, row);
    const isReplayed = false;
    Object.assign(message, { attempts: row.attempt, nextAttemptAt: nextRetryAt, lastDeliveryId: row.id, isReplayed });
    const key = `${subscriptionId} ${message.eventId}`;
    if (success && slots.has(key)) deliveredAt.set(key, at);
    const failingSince = success ? null : (subscription.failingSince ?? at);
    if (!attempted.skipped && failingSince !== subscription.failingSince) {
      subscription.failingSince = failingSince;
      version++;
    }
    if (deactivate === undefined || !subscription.isActive) return;
    Object.assign(subscription, { isActive: false, deactivated: { reason: deactivate, at } });
    endPending(subscriptionId);
    version++;
  }

  return {
    async create({ run, ...input }, max) {
      const before = run === undefined ? undefined : subscriptions.get(madeIn.get(`${input.accountId} ${run}`) ?? 0);
      if (before) return { ...before };
      const active = [...subscriptions.values()].filter((one) => one.isActive && one.accountId === input.accountId);
      if (max !== undefined && active.length >= max) throw new TooManySubscriptions(max);
      const id = ++last.subscription;
      const startedAt = { isActive: true, deactivated: null, failingSince: null, previousSecret: null };
      const forms = { format: 'ledgerline', filter: null, quietSeconds: 0 } as const;
      subscriptions.set(id, { id, ...forms, ...input, ...startedAt });
      if (run !== undefined) madeIn.set(`${input.accountId} ${run}`, id);
      version++;
      return { ...subscriptions.get(id)! };
    },
    async find(id) {
      const found = subscriptions.get(id);
      return found && { ...found };
    },
    async list(accountId) {
      return [...subscriptions.values()].filter((one) => one.accountId === accountId).map((one) => ({ ...one }));
    },
    async active() {
      return [...subscriptions.values()].filter((one) => one.isActive).map((one) => ({ ...one }));
    },
    activeVersion: async () => version,
    async remove(id, accountId) {
      if (subscriptions.get(id)?.accountId !== accountId) return false;
      subscriptions.delete(id);
      for (const message of messagesOf(id)) messages.delete(message.id);
      for (const row of rowsOf(id)) rows.delete(row.id);
      replays.delete(id);
      for (const [key, slot] of slots) if (slot.subscriptionId === id) slots.delete(key);
      version++;
      return true;
    },
    async end(id, reason, at) {
      const found = subscriptions.get(id);
      if (!found?.isActive) return;
      Object.assign(found, { isActive: false, deactivated: { reason, at } });
      told.add(id);
      endPending(id);
      version++;
    },
    async endedToMail(limit) {
      return [...subscriptions.values()]
        .filter(({ id, deactivated }) => deactivated !== null && !told.has(id))
        .slice(0, limit)
        .map(({ id, accountId, format, url, deactivated }) => {
          return { id, accountId, format, url, reason: deactivated!.reason };
        });
    },
    async markTold(ids) {
      for (const id of ids) told.add(id);
    },
    async rotate(id, secret, previousUntil, run) {
      const found = subscriptions.get(id);
      if (!found || (run !== undefined && rotatedIn.get(id) === run)) return;
      rotatedIn.set(id, run);
      Object.assign(found, { secret, previousSecret: { secret: found.secret, until: previousUntil } });
      version++;
    },

    publisherPositions: async () => new Map(positions),
    async publish(published, { partition, position }) {
      if (published.some(({ body }) => typeof body !== 'string')) throw new TypeError('a message without a body');
      const last = latest.get(partition);
      const createdAtOf = (message: NewMessage) => publicationTime(last, message.createdAt);
      insertQuiet(
        published.filter(({ quiet }) => quiet !== undefined),
        createdAtOf,
      );
      for (const message of published) {
        if (message.quiet === undefined) insert({ ...message, createdAt: createdAtOf(message) });
      }
      if (published.length > 0) {
        latest.set(partition, publicationTime(last, Math.max(...published.map(({ createdAt }) => createdAt))));
      }
      const before = positions.get(partition);
      if (before === undefined || position > before) positions.set(partition, position);
    },
    async add(message) {
      const inserted = insert(message);
      if (inserted) return shown(inserted);
      throw new MessageNotAdded(message.subscriptionId);
    },
    async due(now, limit, except, shards, { onlySubscriptions, exceptMessages, maxMessages } = {}) {
      const counts = new Map<number, number>();
      return [...messages.values()]
        .filter(({ subscriptionId: id }) => !except.has(id) && (shards?.has(shardOf(id)) ?? true))
        .filter(
          ({ id, subscriptionId }) => (onlySubscriptions?.has(subscriptionId) ?? true) && !exceptMessages?.has(id),
        )
        .filter(({ nextAttemptAt }) => nextAttemptAt !== null && nextAttemptAt <= now)
        .sort((a, b) => a.nextAttemptAt! - b.nextAttemptAt! || a.id - b.id)
        .filter(({ subscriptionId }) => {
          const count = (counts.get(subscriptionId) ?? 0) + 1;
          counts.set(subscriptionId, count);
          return count <= limit;
        })
        .slice(0, maxMessages)
        .map(shown);
    },
    async nextDueAt(after, shards) {
      const times = [...messages.values()]
        .filter(({ subscriptionId }) => shards?.has(shardOf(subscriptionId)) ?? true)
        .flatMap(({ nextAttemptAt }) => (nextAttemptAt !== null && nextAttemptAt > after ? [nextAttemptAt] : []));
      return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b));
    },
    ...leases.ports,
    async record(attempts, epoch) {
      leases.refuseLost(attempts, epoch);
      if (attempts.some(({ at }) => typeof at !== 'number')) throw new TypeError('an attempt without a time');
      attempts.forEach(recordOne);
    },

    async prepareQuiet({ id, subscriptionId, eventId }, seconds, now, epoch) {
      leases.refuseLost([{ message: { subscriptionId } }], epoch);
      const waiting = messagesOf(subscriptionId).filter((one) => isPending(one) && one.eventId === eventId);
      const own = waiting.find((one) => one.id === id);
      if (!own) return { kind: 'later', at: now };
      if (own.isReplayed) return { kind: 'send', message: shown(own) };
      const key = `${subscriptionId} ${eventId}`;
      const facts = { seconds, deliveredAt: deliveredAt.get(key) ?? null, now };
      const ordinary = waiting.filter(({ isReplayed }) => !isReplayed).map(shown);
      const decision = decideQuietDelivery(ordinary, facts);
      if (decision.kind === 'send') return { kind: 'send', message: shown(own) };
      if (decision.kind === 'postpone') {
        own.nextAttemptAt = decision.until;
        const row = rows.get(own.lastDeliveryId ?? 0);
        if (row?.nextRetryAt != null) row.nextRetryAt = decision.until;
        return { kind: 'later', at: decision.until };
      }
      for (const one of decision.absorbed) {
        promiseNothing(one);
        messages.delete(one.id);
      }
      const newest = messages.get(decision.into)!;
      Object.assign(newest, { ...decision.said, nextAttemptAt: Math.min(newest.nextAttemptAt!, now) });
      const slot = slots.get(key);
      if (slot && slot.at > now) slots.set(key, { ...slot, at: now });
      return newest.id === id ? { kind: 'send', message: shown(newest) } : { kind: 'later', at: now };
    },

    async pendingCharges(limit, shards) {
      return [...charges.values()]
        .filter(({ isCollected, shard }) => !isCollected && (shards?.has(shard) ?? true))
        .slice(0, limit)
        .map(({ charge }) => charge);
    },
    async markCharged(webhookIds) {
      for (const webhookId of webhookIds) {
        const found = charges.get(webhookId);
        if (found) found.isCollected = true;
      }
    },
    async deliveries({ subscriptionId, limit, afterId, success, givenUp, eventType, endedAfter = -Infinity }) {
      return rowsOf(subscriptionId)
        .filter((row) => row.deliveredAt > endedAfter)
        .filter((row) => afterId === undefined || row.id < afterId)
        .filter((row) => success === undefined || row.success === success)
        .filter((row) => givenUp === undefined || row.givenUp === givenUp)
        .filter((row) => eventType === undefined || row.eventType === eventType)
        .reverse()
        .slice(0, limit)
        .map((row) => ({ ...row }));
    },
    async ownerOfDelivery(deliveryId) {
      return rows.get(deliveryId)?.subscriptionId ?? (deliveryId > 0 && deliveryId <= last.row ? 'gone' : undefined);
    },
    async replay(id, after, now, terms) {
      if (!isActive(id)) return 0;
      const own = messagesOf(id);
      if (terms) {
        if (own.some(({ isReplayed }) => isReplayed)) throw new ReplayRunning();
        const recent = (replays.get(id) ?? []).filter((at) => at > terms.since && at <= now);
        if (recent.length >= terms.maxReplays) throw new TooManyReplays(Math.min(...recent));
        replays.set(id, [...(replays.get(id) ?? []), now]);
      }
      const row = 'deliveryId' in after ? rows.get(after.deliveryId) : undefined;
      const isMeant = (message: Message): boolean => {
        if (terms && message.createdAt <= terms.keptAfter && !isPending(message)) return false;
        if ('from' in after) return message.createdAt >= after.from;
        return row?.subscriptionId === id && message.id > row.messageId;
      };
      const again = own.filter(isMeant);
      for (const message of again) {
        promiseNothing(message);
        Object.assign(message, { attempts: 0, nextAttemptAt: now, lastDeliveryId: null, isReplayed: true });
      }
      return again.length;
    },
    async prune(outdated, limit) {
      const isOver = (one: Message): boolean => one.createdAt <= outdated.messages && !isPending(one);
      const gone = [...messages.values()].filter(isOver).slice(0, limit);
      for (const { id, webhookId } of gone) {
        messages.delete(id);
        if (charges.get(webhookId)?.isCollected) charges.delete(webhookId);
      }
      const goneRows = [...rows.values()]
        .filter(({ deliveredAt }) => deliveredAt <= outdated.deliveries)
        .slice(0, limit);
      for (const { id } of goneRows) rows.delete(id);
      const goneSlots = [...slots].filter(([, { at }]) => at <= outdated.messages).slice(0, limit);
      for (const [key] of goneSlots) {
        slots.delete(key);
        deliveredAt.delete(key);
      }
      for (const [id, startedAt] of replays) {
        const remaining = startedAt.filter((at) => at > outdated.replays);
        if (remaining.length > 0) replays.set(id, remaining);
        else replays.delete(id);
      }
      return Math.max(gone.length, goneRows.length, goneSlots.length) >= limit;
    },
  };
}

const rowOf = ({ message, ...attempted }: DeliveryAttempt, id: number, nextRetryAt: number | null): Row => ({
  id,
  subscriptionId: message.subscriptionId,
  messageId: message.id,
  eventType: message.eventType,
  eventId: message.eventId,
  attempt: message.attempts + 1,
  parentDeliveryId: message.lastDeliveryId,
  statusCode: attempted.statusCode,
  success: attempted.success,
  error: attempted.error,
  givenUp: attempted.givenUp,
  nextRetryAt,
  deliveredAt: attempted.at,
});

interface Lease {
  readonly epoch: number;
  until: number;
}

/** The leases of dispatchers in memory: for tests and a single process. */
export function createMemoryWebhookLeases() {
  const leases = new Map<string, Lease>();
  /** The epoch of the lease that holds each shard. */
  const heldBy = new Map<number, number>();
  let lastEpoch = 0;

  function freeShardsOf({ epoch }: Lease): void {
    for (const [shard, holder] of heldBy) if (holder === epoch) heldBy.delete(shard);
  }

  function endOthers(owner: string, now: number): void {
    for (const [other, lease] of leases) {
      if (other === owner || lease.until > now) continue;
      leases.delete(other);
      freeShardsOf(lease);
    }
  }

  const ports: Pick<WebhookStore, 'claim' | 'release'> = {
    async claim(owner, now, forMs) {
      endOthers(owner, now);
      let lease = leases.get(owner);
      if (!lease) {
        lease = { epoch: ++lastEpoch, until: 0 };
        leases.set(owner, lease);
      }
      lease.until = now + forMs;
      const { epoch } = lease;
      const epochs = [...leases.values()].map((one) => one.epoch);
      const { held, taken: allocated, requestedByOthers } = allocateShards(epochs, heldBy, epoch);
      for (const shard of allocated) heldBy.set(shard, epoch);
      return { epoch, shards: [...held, ...allocated].sort((a, b) => a - b), requestedByOthers };
    },
    async release(owner, shards) {
      const lease = leases.get(owner);
      if (!lease) return;
      if (shards === undefined) {
        leases.delete(owner);
        freeShardsOf(lease);
        return;
      }
      for (const shard of shards) if (heldBy.get(shard) === lease.epoch) heldBy.delete(shard);
    },
  };

  return {
    ports,
    /** @throws LeaseLost */
    refuseLost(attempts: readonly { readonly message: Pick<WebhookMessage, 'subscriptionId'> }[], epoch: number): void {
      const lost = attempts
        .map(({ message }) => shardOf(message.subscriptionId))
        .filter((shard) => heldBy.get(shard) !== epoch);
      if (lost.length > 0) throw new LeaseLost(lost);
    },
  };
}
