import type { Rejection } from '../domain/feed/rejection.ts';
import type { Places } from '../domain/position.ts';

/** One feed message as a door got it: still text (a line of NDJSON), or a JSON value already. */
export type IntakeItem = { readonly line: number } & ({ readonly text: string } | { readonly value: unknown });

export type Outcome =
  | { readonly line: number; readonly status: 'accepted' | 'unchanged' | 'quarantined' }
  | ({ readonly line: number; readonly status: 'rejected' } & Rejection);

export interface Taken {
  /** In the order of the items. */
  readonly outcomes: readonly Outcome[];
  /** What this call appended, also for messages that had waited for one of these; empty when it appended nothing. */
  readonly places: Places;
}

/**
 * The one way in: every door hands its messages here, whatever their shape. The answer comes after everything that
 * was accepted or quarantined is on disk. Batches of some thousand (`BATCH`) are fastest.
 * Callers may run concurrently; their batches are taken one after another. Several intakes may work on one log.
 */
export interface Intake {
  accept(items: readonly IntakeItem[]): Promise<Taken>;
}

/** Messages that are handed over at once: enough to share one durable commit, few enough to hold in memory. */
export const BATCH = 2000;

/** The same intake for one caller, which remembers where everything went that the caller handed over. */
export function trackPlaces(intake: Intake): { readonly intake: Intake; readonly places: Places } {
  const places = new Map<string, bigint>();
  return {
    places,
    intake: {
      async accept(items) {
        const taken = await intake.accept(items);
        addPlaces(places, taken.places);
        return taken;
      },
    },
  };
}

/** Keeps of each partition the later position. */
export function addPlaces(places: Map<string, bigint>, more: Places): void {
  for (const [partition, position] of more) {
    const present = places.get(partition);
    if (present === undefined || present < position) places.set(partition, position);
  }
}

/** What became of every message, as all doors report it (spec: the outcome report). */
export interface OutcomeReport {
  received: number;
  accepted: number;
  unchanged: number;
  quarantined: number;
  rejected: number;
  /** The first 100. */
  errors: { line: number; code: string; message: string; path: string }[];
}

const MAX_ERRORS = 100;

export const emptyReport = (): OutcomeReport => ({
  received: 0,
  accepted: 0,
  unchanged: 0,
  quarantined: 0,
  rejected: 0,
  errors: [],
});

export function count(report: OutcomeReport, outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) {
    report.received++;
    report[outcome.status]++;
    if (outcome.status === 'rejected' && report.errors.length < MAX_ERRORS) {
      const { line, code, message, path } = outcome;
      report.errors.push({ line, code, message, path });
    }
  }
}

/** Adds `other` to `report`, for a report over several files. */
export function add(report: OutcomeReport, other: OutcomeReport): void {
  for (const key of ['received', 'accepted', 'unchanged', 'quarantined', 'rejected'] as const)
    report[key] += other[key];
  report.errors.push(...other.errors.slice(0, MAX_ERRORS - report.errors.length));
}
