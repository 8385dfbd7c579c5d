import { advancePositions, type PartitionPositions } from '../../domain/event-sourcing/position.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { QuarantineCode } from '../identities/quarantine-reasons.ts';

/** One feed message as an entry point received it: text (a line of NDJSON) or a parsed JSON value. */
export type IntakeItem = {
  readonly line: number;
  /** Milliseconds: a message that repeats a report about its subject which is younger than this appends nothing. */
  readonly throttleMs?: number;
  /**
   * With `throttleMs`: the sender does not know its own earlier reports, as after its start. The last report of the
   * same source in the log then counts, even if another source has reported something else since.
   */
  readonly senderForgets?: boolean;
} & ({ readonly text: string } | { readonly value: unknown });

export type Outcome =
  | { readonly line: number; readonly status: 'accepted' | 'unchanged' }
  | { readonly line: number; readonly status: 'quarantined'; readonly waits?: QuarantineReason }
  | ({ readonly line: number; readonly status: 'rejected' } & Rejection);

/** What a quarantined message waits for, in words for people. */
export interface QuarantineReason {
  readonly source: string;
  /** The kind of the missing thing: the same for all messages that wait for such a thing. */
  readonly waitsFor: string;
  /** The reason for this one message, in words and as a code. */
  readonly reason: string;
  readonly code: QuarantineCode;
}

export interface IntakeResult {
  /** In the order of the items. */
  readonly outcomes: readonly Outcome[];
  /**
   * Positions of the records that this call appended. They include records of quarantined messages that this call
   * released, and perhaps of messages that others sent at the same moment.
   */
  readonly positions: PartitionPositions;
}

/**
 * The only way into the log for feed messages: every entry point submits its messages here, in any form. The answer
 * comes once everything that was accepted or quarantined is durable. Batches of some thousand messages
 * (`INTAKE_BATCH_SIZE`) are fastest.
 * Callers may run concurrently. Their batches are processed in parts, one part after another, so that a small batch
 * does not wait for a large one. If the promise rejects, some parts may be in the log: sending all messages again does
 * no harm. Several intakes may work on one log.
 */
export interface Intake {
  accept(items: readonly IntakeItem[]): Promise<IntakeResult>;
}

/** Messages per call: enough to share one durable commit, few enough to hold in memory. */
export const INTAKE_BATCH_SIZE = 2000;

/** Wraps the intake for one caller, and remembers the positions of everything that the caller submitted. */
export function trackPositions(intake: Intake): { readonly intake: Intake; readonly positions: PartitionPositions } {
  const positions = new Map<string, bigint>();
  return {
    positions,
    intake: {
      async accept(items) {
        const result = await intake.accept(items);
        advancePositions(positions, result.positions);
        return result;
      },
    },
  };
}

/** The outcome of every message, as all entry points report it (spec: the outcome report). */
export interface OutcomeReport {
  received: number;
  accepted: number;
  unchanged: number;
  quarantined: number;
  rejected: number;
  /** The first 100 errors. */
  errors: { line: number; code: string; message: string; path: string }[];
  /**
   * What the quarantined messages wait for, by kind, with the reason of the first message. Absent if there are none.
   */
  waits_for?: { source: string; what: string; reason: QuarantineCode; messages: number; first: string }[];
}

const MAX_ERRORS = 100;
/** Kinds of missing things in one report. */
const MAX_KINDS = 100;

export const createOutcomeReport = (): OutcomeReport => ({
  received: 0,
  accepted: 0,
  unchanged: 0,
  quarantined: 0,
  rejected: 0,
  errors: [],
});

export function addOutcomes(report: OutcomeReport, outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) {
    report.received++;
    report[outcome.status]++;
    if (outcome.status === 'quarantined' && outcome.waits) {
      const { source, waitsFor, reason, code } = outcome.waits;
      addQuarantineKind(report, { source, what: waitsFor, reason: code, messages: 1, first: reason });
    }
    if (outcome.status === 'rejected' && report.errors.length < MAX_ERRORS) {
      const { line, code, message, path } = outcome;
      report.errors.push({ line, code, message, path });
    }
  }
}

function addQuarantineKind(report: OutcomeReport, kind: NonNullable<OutcomeReport['waits_for']>[number]): void {
  report.waits_for ??= [];
  const existing = report.waits_for.find(
    ({ source, what, reason }) => source === kind.source && what === kind.what && reason === kind.reason,
  );
  if (existing) existing.messages += kind.messages;
  else if (report.waits_for.length < MAX_KINDS) report.waits_for.push({ ...kind });
}

/** Adds `other` to `report`, for one report over several files. */
export function addReport(report: OutcomeReport, other: OutcomeReport): void {
  for (const key of ['received', 'accepted', 'unchanged', 'quarantined', 'rejected'] as const)
    report[key] += other[key];
  for (const kind of other.waits_for ?? []) addQuarantineKind(report, kind);
  report.errors.push(...other.errors.slice(0, MAX_ERRORS - report.errors.length));
}

/**
 * Before each attempt, other processes wrote to the same streams. A part of the messages may be in the log: the intake
 * recognises it when all messages are sent again.
 */
export class TooManyConflicts extends UnavailableError {
  /** @param cause the last conflict */
  constructor(cause: Error) {
    super('Others write of the same things at this moment. Send all of these messages again.', 1, { cause });
    this.name = 'TooManyConflicts';
  }
}
