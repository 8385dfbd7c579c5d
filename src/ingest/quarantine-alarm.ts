import { LRUCache } from 'lru-cache';
import type { Identities } from './identities/identities.ts';
import type { Intake } from './intake.ts';

type Warn = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Sources with what they wait for of which it is known how many were told. */
const TOLD_KEPT = 10_000;

/**
 * Warns at the first message of a source that waits for something of a kind, and at each tenfold number: a mistyped
 * sport in one schedule lets a million prices wait, and nothing else would tell. What waits at the start counts as told.
 */
export async function alarmedIntake(
  intake: Intake,
  identities: Pick<Identities, 'waitingNumbers'>,
  warn: Warn,
): Promise<Intake> {
  const told = new LRUCache<string, number>({ max: TOLD_KEPT });

  async function look(tell: Warn): Promise<void> {
    for (const { source, waitsFor, accepted, number } of await identities.waitingNumbers()) {
      if (accepted || number < 1) continue;
      const kind = `${source}|${waitsFor}`;
      const size = String(number).length;
      if (size <= (told.get(kind) ?? 0)) continue;
      told.set(kind, size);
      tell({ source, waits_for: waitsFor, messages: number }, 'messages wait in quarantine (audit quarantine)');
    }
  }

  await look(() => {});
  return {
    async accept(items) {
      const taken = await intake.accept(items);
      if (taken.outcomes.some(({ status }) => status === 'quarantined')) await look(warn);
      return taken;
    },
  };
}
