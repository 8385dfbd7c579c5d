import type { Attempted, WebhookStore } from './store/webhook-store.ts';

/** What attempts of deliveries have come to: taken by the endpoint, to be tried again, never tried again; or nothing was
 *  sent, for want of credits. */
export type AttemptCounts = Readonly<Record<'delivered' | 'failed' | 'given_up' | 'skipped', number>>;

/** The same store, which counts the attempts that it has recorded. */
export function countedAttempts(store: WebhookStore): { readonly store: WebhookStore; readonly counts: AttemptCounts } {
  const counts = { delivered: 0, failed: 0, given_up: 0, skipped: 0 };
  return {
    counts,
    store: {
      ...store,
      async record(attempts, epoch) {
        await store.record(attempts, epoch);
        for (const attempted of attempts) counts[outcomeOf(attempted)]++;
      },
    },
  };
}

function outcomeOf({ success, skipped, retryAt }: Attempted): keyof AttemptCounts {
  if (success) return 'delivered';
  if (skipped) return 'skipped';
  return retryAt === null ? 'given_up' : 'failed';
}
