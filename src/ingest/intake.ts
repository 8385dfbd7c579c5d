import type { Rejection } from '../domain/feed/rejection.ts';

/** One feed message as a door got it: still text (a line of NDJSON), or a JSON value already. */
export type IntakeItem = { readonly line: number } & ({ readonly text: string } | { readonly value: unknown });

export type Outcome =
  | { readonly line: number; readonly status: 'accepted' | 'unchanged' | 'quarantined' }
  | ({ readonly line: number; readonly status: 'rejected' } & Rejection);

/**
 * The one way in: every door hands its messages here, whatever their shape. Outcomes come back in the order of the
 * items, after everything that was accepted or quarantined is on disk. Batches of some thousand are fastest.
 * Callers may run concurrently; their batches are taken one after another.
 */
export interface Intake {
  accept(items: readonly IntakeItem[]): Promise<readonly Outcome[]>;
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
