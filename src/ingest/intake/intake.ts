import { advancePositions, type PartitionPositions } from '../../domain/event-sourcing/position.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';

/** One feed message as a door got it: still text (a line of NDJSON), or a JSON value already. */
export type IntakeItem = {
  readonly line: number;
  /** Milliseconds: where it says what was said of its subject less than this before, it appends nothing. */
  readonly sparing?: number;
  /** With `sparing`, of a sender that does not know what it said before, as after its start: what the log has from the
   *  same source counts, also where another source has said something else since. */
  readonly isForgetful?: boolean;
} & ({ readonly text: string } | { readonly value: unknown });

export type Outcome =
  | { readonly line: number; readonly status: 'accepted' | 'unchanged' }
  | { readonly line: number; readonly status: 'quarantined'; readonly waits?: QuarantineReason }
  | ({ readonly line: number; readonly status: 'rejected' } & Rejection);

/** What a quarantined message waits for, for people. */
export interface QuarantineReason {
  readonly source: string;
  /** The kind of thing: it is the same for all that wait for such a thing. */
  readonly waitsFor: string;
  /** Of this very message. */
  readonly reason: string;
}

export interface IntakeResult {
  /** In the order of the items. */
  readonly outcomes: readonly Outcome[];
  /** Where what this call appended went, also for messages that had waited for one of these, and perhaps what others
   *  sent at the same moment. */
  readonly positions: PartitionPositions;
}

/**
 * The one way in: every door hands its messages here, whatever their shape. The answer comes after everything that
 * was accepted or quarantined is on disk. Batches of some thousand (`BATCH`) are fastest.
 * Callers may run concurrently; their batches are taken in parts, one part after another, so that a small one does not
 * wait for a large one. When it rejects, some parts may have been taken: sending all again does no harm.
 * Several intakes may work on one log.
 */
export interface Intake {
  accept(items: readonly IntakeItem[]): Promise<IntakeResult>;
}

/** Messages that are handed over at once: enough to share one durable commit, few enough to hold in memory. */
export const INTAKE_BATCH_SIZE = 2000;

/** The same intake for one caller, which remembers where everything went that the caller handed over. */
export function trackPositions(intake: Intake): { readonly intake: Intake; readonly places: PartitionPositions } {
  const places = new Map<string, bigint>();
  return {
    places,
    intake: {
      async accept(items) {
        const taken = await intake.accept(items);
        advancePositions(places, taken.positions);
        return taken;
      },
    },
  };
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
  /** What the quarantined ones wait for, by kind, with the first one's reason; absent where there are none. */
  waits_for?: { source: string; what: string; messages: number; first: string }[];
}

const MAX_ERRORS = 100;
/** Kinds of what is waited for, in one report. */
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
      const { source, waitsFor, reason } = outcome.waits;
      addQuarantineKind(report, { source, what: waitsFor, messages: 1, first: reason });
    }
    if (outcome.status === 'rejected' && report.errors.length < MAX_ERRORS) {
      const { line, code, message, path } = outcome;
      report.errors.push({ line, code, message, path });
    }
  }
}

function addQuarantineKind(report: OutcomeReport, kind: NonNullable<OutcomeReport['waits_for']>[number]): void {
  report.waits_for ??= [];
  const present = report.waits_for.find(({ source, what }) => source === kind.source && what === kind.what);
  if (present) present.messages += kind.messages;
  else if (report.waits_for.length < MAX_KINDS) report.waits_for.push({ ...kind });
}

/** Adds `other` to `report`, for a report over several files. */
export function addReport(report: OutcomeReport, other: OutcomeReport): void {
  for (const key of ['received', 'accepted', 'unchanged', 'quarantined', 'rejected'] as const)
    report[key] += other[key];
  for (const kind of other.waits_for ?? []) addQuarantineKind(report, kind);
  report.errors.push(...other.errors.slice(0, MAX_ERRORS - report.errors.length));
}

/**
 * Other processes have written of the same things before each attempt. A part may have been taken: it is known when all is
 * sent again.
 */
export class TooManyConflicts extends UnavailableError {
  /** @param cause the last conflict */
  constructor(cause: Error) {
    super('Others write of the same things at this moment. Send all of these messages again.', 1, { cause });
    this.name = 'TooManyConflicts';
  }
}
