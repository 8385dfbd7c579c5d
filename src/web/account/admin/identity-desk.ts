import type { BoundSide, IdentityAction, IdentitySubject } from '../../../domain/feed/identity-message.ts';
import type { Moved } from '../../../domain/streams/identity-stream.ts';

// The rows of mended identities, as the command `identities` prints them, and as the staff page shows them.

/** Something that a waiting message may mean. */
export interface CandidateRow {
  /** Null for a team or a player. */
  readonly event_id: number | null;
  /** The id of a team or a player. */
  readonly entry_id: number | null;
  readonly name: string;
  readonly starts_at: string | null;
  /** From the start that the oldest message gives; null where one of both has none. */
  readonly minutes_apart: number | null;
  /** The message names the sides the other way round; null for a team or a player, and where a side is not known. */
  readonly swapped: boolean | null;
  /** Of a team or a player near: the name in the message that it may have; else null. */
  readonly named: string | null;
}

/** Messages that wait, by source and ref. */
export interface WaitingRow {
  /** Names the group, for `dismiss`. */
  readonly id: string;
  readonly source: string;
  readonly ref: string | null;
  readonly what: IdentitySubject | null;
  readonly reason: string;
  /** The reason of the oldest message in words. */
  readonly text: string;
  readonly kinds: Readonly<Record<string, number>>;
  readonly count: number;
  readonly first_at: string;
  readonly last_at: string;
  readonly league: string | null;
  /** The sides and the start that the oldest message names. */
  readonly match: Readonly<Record<string, unknown>> | null;
  readonly candidates: readonly CandidateRow[];
  /** The id that fits best; nobody acts on it by itself. */
  readonly suggestion: number | null;
  /**
   * Without candidates: events near the start that the oldest message gives, in which a side plays that it names; and
   * for names that nobody has, the teams or players that may be meant.
   */
  readonly near: readonly CandidateRow[];
  /** The names that nobody has, or several have, as the message spells them. */
  readonly names: readonly string[];
  /** What the oldest messages say beyond the feed contract, by the path of the member; the oldest one decides. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** What can be done about it, in words. */
  readonly advice: string;
}

/** A message in quarantine. */
export interface MessageRow {
  readonly received_at: string;
  readonly reason: string;
  readonly code: string;
  readonly candidates: readonly number[];
  readonly waits_for: readonly string[];
  readonly message: unknown;
}

/** What an act has dismissed and still keeps. */
export interface DismissedRow {
  readonly act: number;
  readonly at: string;
  readonly by: string | null;
  readonly note: string | null;
  readonly what: IdentitySubject | null;
  /** `SOURCE:REF`, or the group of what waited. */
  readonly from: string | number;
  readonly count: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly first_at: string;
  readonly last_at: string;
}

/** A thing as the pages show it beside another one. */
export interface ThingRow {
  readonly id: number;
  readonly name: string;
  readonly starts_at: string | null;
  readonly sources: readonly string[];
  /** The last score, home or player_1 first; null for a team, a player, and before the first score. */
  readonly score: string | null;
}

/** What waits, as the page shows it: with its candidates. */
export interface ShownWaiting extends WaitingRow {
  readonly things: readonly ThingRow[];
  /** The oldest ones, a few. */
  readonly messages?: readonly MessageRow[];
}

/** Two that are probably one. */
export interface DuplicateRow {
  readonly what: IdentitySubject;
  readonly a: ThingRow;
  readonly b: ThingRow;
  readonly reason: string;
}

/** Two that are probably one, as the page shows them. */
export interface ShownDuplicate extends DuplicateRow {
  /** The event that they would be, whichever is merged into the other. Absent: too much was told to try it for a page. */
  readonly merged?: EventView;
}

/** An event as its schedule says. */
export interface EventView {
  readonly id: number;
  readonly name: string;
  readonly starts_at: string | null;
  readonly status: string;
}

/**
 * What events are once an act has moved something between them: the schedule that was observed last decides. Absent
 * where an event stays as it is.
 */
export interface ChangedEvents {
  /** The event `into`. */
  readonly becomes?: EventView;
  /** The event from which something was taken, or that has its own id again. */
  readonly from_becomes?: EventView;
}

/** An event, a team or a player in words. */
export interface TargetRow {
  readonly id: number;
  readonly name: string;
  /** Null for a team or a player. */
  readonly starts_at: string | null;
  readonly league: string | null;
}

/** What an act is about, in words: of an act that is done or tried, as it was before. */
export interface ActTargets {
  /** What `into` is. Absent where the act names none, or makes it. */
  readonly target?: TargetRow;
  /** Of a merge or a split: what loses something. Absent once it is another one. */
  readonly from_target?: TargetRow;
}

/** What an act does, in short. `act` is null for a dry run, and where nothing had to be done. */
export interface DoneRow extends ActTargets, ChangedEvents {
  readonly act: number | null;
  readonly action: IdentityAction;
  readonly what: IdentitySubject | null;
  /** The id of what was merged, `SOURCE:REF`, a name, or the group of what waits. */
  readonly from: string | number;
  readonly into: number | null;
  /** Of a contract that was bound: which bet on the event its Yes is. */
  readonly side?: BoundSide | undefined;
  readonly moved: Moved;
}

export interface ActRow extends DoneRow {
  readonly act: number;
  readonly at: string;
  readonly by: string | null;
  readonly note: string | null;
  readonly undone_by: number | null;
}

/** An act as the page shows it. */
export interface ShownAct extends ActRow {
  /** Of an undo: what it comes to in the end. */
  readonly root?: IdentityAction;
  /** What taking it back would change. Absent as above. */
  readonly undoing?: ChangedEvents;
  /** Of a dismissal in force: the oldest messages, a few. */
  readonly messages?: readonly MessageRow[];
}

/** An act that somebody asks for: a message without its kind, source and time. */
export interface WantedAct {
  readonly action: IdentityAction;
  readonly what?: IdentitySubject | undefined;
  readonly source_ref?: { readonly source: string; readonly ref: string } | undefined;
  readonly from?: number | undefined;
  readonly into?: number | undefined;
  readonly sport?: string | undefined;
  /** Of a contract of a prediction market: which bet on the event its Yes is. */
  readonly side?: BoundSide | undefined;
  readonly force?: boolean | undefined;
  readonly id?: number | undefined;
  readonly name?: string | undefined;
  readonly waiting?: string | undefined;
  readonly act?: number | undefined;
  readonly note?: string | undefined;
  readonly by?: string | undefined;
}

/** Some of what waits, as somebody looks for it. */
export interface WaitingAsked {
  /** The groups after this one in the order of their ids. */
  readonly after: string | null;
  readonly limit: number;
  readonly source?: string | undefined;
  readonly reason?: string | undefined;
}

export interface WaitingPart {
  readonly rows: readonly ShownWaiting[];
  /** The group after which the search goes on; null: there are no more. */
  readonly next: string | null;
}

/** What would be, or was, given up of a source. */
export interface SourceDismissal {
  /** The acts: one for each group. */
  readonly groups: number;
  readonly messages: number;
  /** Groups of the source that are left. */
  readonly left: number;
  /** There are more than `left`: not all were counted. */
  readonly isMoreLeft: boolean;
}

/** What the staff page `/admin/data` does. */
export interface IdentityDesk {
  waiting(asked: WaitingAsked): Promise<WaitingPart>;
  /** At most `limit`, the nearest first; of events, those that start from 30 days ago on. */
  duplicates(limit: number): Promise<readonly ShownDuplicate[]>;
  /** Newest first; those before the act `before`. */
  acts(before: number | null, limit: number): Promise<readonly ShownAct[]>;
  /**
   * Does what is wanted. With `isTrial` it does nothing, and says the same. Absent: this process takes no messages in.
   * @throws RefusedError with the reason
   */
  readonly act?: (wanted: WantedAct, isTrial: boolean) => Promise<DoneRow>;
  /** Gives up what waits of a source, a bounded number of groups at once; with `isTrial` it only counts. */
  readonly dismissSource?: (
    source: string,
    said: { readonly by: string; readonly note?: string | undefined },
    isTrial: boolean,
  ) => Promise<SourceDismissal>;
}
