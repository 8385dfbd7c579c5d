import { LRUCache } from 'lru-cache';
import { createDurationHistogram, type DurationHistogram } from '../../platform/async/duration-histogram.ts';
import { entriesAtMost } from '../../platform/cache-bounds.ts';
import type { Identities } from '../identities/identities.ts';
import type { Intake, Outcome } from './intake.ts';

type Warn = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** Pairs of source and missing kind for which the last warning is remembered. */
const MAX_WARNED_KINDS = 10_000;

/**
 * Warns about the first quarantined message of a source for each kind of missing thing, and again at each tenfold
 * number: a mistyped sport in one schedule can quarantine a million prices, and nothing else would show it. Does not
 * warn about messages that were in quarantine at the start.
 */
export async function withQuarantineWarnings(
  intake: Intake,
  identities: Pick<Identities, 'countQuarantined'>,
  warn: Warn,
): Promise<Intake> {
  const warnedSizes = new LRUCache<string, number>(entriesAtMost(MAX_WARNED_KINDS));

  async function checkQuarantine(warnAbout: Warn): Promise<void> {
    for (const { source, waitsFor, accepted, number } of await identities.countQuarantined()) {
      if (accepted || number < 1) continue;
      const kind = `${source}|${waitsFor}`;
      const size = String(number).length;
      if (size <= (warnedSizes.get(kind) ?? 0)) continue;
      warnedSizes.set(kind, size);
      warnAbout({ source, waits_for: waitsFor, messages: number }, 'messages wait in quarantine (audit quarantine)');
    }
  }

  await checkQuarantine(() => {});
  return {
    async accept(items) {
      const result = await intake.accept(items);
      if (result.outcomes.some(({ status }) => status === 'quarantined')) await checkQuarantine(warn);
      return result;
    },
  };
}

/** What an intake has accepted since it was opened. */
export interface IntakeStats {
  readonly messages: Readonly<Record<Outcome['status'], number>>;
  /** How long callers waited until their messages were accepted. */
  readonly durations: DurationHistogram;
}

/** Wraps the intake that all entry points share, and counts the outcomes of its messages. */
export function withIntakeStats(intake: Intake): { readonly intake: Intake; readonly stats: IntakeStats } {
  const messages = { accepted: 0, unchanged: 0, quarantined: 0, rejected: 0 };
  const durations = createDurationHistogram();
  return {
    stats: { messages, durations },
    intake: {
      async accept(items) {
        const start = performance.now();
        const result = await intake.accept(items);
        durations.add(performance.now() - start);
        for (const { status } of result.outcomes) messages[status]++;
        return result;
      },
    },
  };
}
