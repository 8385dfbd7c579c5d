import { type EventState, eventDecider } from '../../../commands/events/event-decider.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import { type SourceRef, sourceRefKey } from '../../domain/identities/identity-plan.ts';
import { sourceRefOf } from '../../domain/identities/source-ref-of.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import type { ReportedBook } from '../../domain/odds/book-depth.ts';
import { addToGroup } from '../../domain/primitives/collections.ts';
import { marketsCloseAt } from '../../domain/sports-events/sports-event.ts';
import type { DomainRecord, EventIdentity, Origin } from '../../domain/streams/domain-events.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { areSidesSwapped } from '../binding/event-binding.ts';
import type { StreamStates } from '../states/stream-states.ts';
import { deciderOf, type FindRecord, reportOf, swapReport } from '../subjects/subjects.ts';
import { decideAgain } from './decide-again.ts';
import type { EntryOf } from './entry-homes.ts';
import { withMappedSides } from './mapped-sides.ts';
import { RecordedLadders, swapBooks } from './recorded-ladders.ts';
import { isEntryRecord, SideDescriptions } from './side-descriptions.ts';

interface RecordReplayOptions {
  /** Where the decisions are staged. */
  readonly states: Pick<StreamStates, 'get' | 'decideWithoutStaging' | 'stage'>;
  readonly find: FindRecord;
  /**
   * The event that gets what was reported of the event `home` under this ref, or by its sides alone. Undefined: none of
   * the events that result.
   */
  ownerOf(home: number, sourceRef: SourceRef | undefined): number | undefined;
  /** The team or player that a side means. Absent: no act was about one. */
  readonly entryOf?: EntryOf | undefined;
}

/** A report on an event, with its content. */
type Report = DomainRecord & {
  readonly data: EventIdentity & { readonly at: string; readonly source: string };
  /** The order books that its prices came from. */
  readonly books?: readonly ReportedBook[];
};

/**
 * Replays reports of the log, to other events than at first. The deciders decide as they would have, if each
 * message had been about the right event from the start, in the same order of recording. What is decided carries the
 * time of the first recording.
 */
export class RecordReplay {
  readonly #options: RecordReplayOptions;
  readonly #descriptions: SideDescriptions;
  /** The sides of each event that had reports at first, in its own order, by `keyOf`. */
  readonly #sides = new Map<string, readonly [string, string]>();
  /** Whether an event has the sides in the opposite order to the one that had the report at first. */
  readonly #swaps = new Map<string, boolean>();
  /** What was reported before the first schedule of its event. On the right server it would have waited for that. */
  readonly #waiting = new Map<number, Report[]>();
  readonly #ladders = new RecordedLadders();
  /** Refs of messages that were refused: they bind nothing. */
  readonly #refused = new Set<string>();

  constructor(options: RecordReplayOptions) {
    this.#options = options;
    this.#descriptions = new SideDescriptions({
      stateOf: (id) => this.#stateOf(id),
      decide: (decider, id, fact, firstRecordedAt) => this.#decide(decider, id, fact, firstRecordedAt),
    });
  }

  /** What still waits for a schedule of its event, in the order of recording. */
  get waiting(): ReadonlyMap<number, readonly DomainRecord[]> {
    return this.#waiting;
  }

  /**
   * Replays a page of records. Pass the records of all streams of the events that had reports at first, and those
   * of the teams and players that are their sides, in the order of the log. A page should hold all records of one
   * recorded time: in the log, a schedule may stand before the records of its teams.
   */
  async replay(page: readonly DomainRecord[]): Promise<void> {
    this.#descriptions.expect(page.filter(isEntryRecord));
    for (const record of page) {
      if (isEntryRecord(record)) await this.#descriptions.note(record);
      else await this.#replayRecord(record);
      await yieldToEventLoop();
    }
  }

  async #replayRecord(recorded: DomainRecord): Promise<void> {
    const { entryOf } = this.#options;
    const record = entryOf ? withMappedSides(recorded, entryOf) : recorded;
    if (record.type === 'EventScheduled') {
      const [first, second] = record.data.content.sides;
      this.#sides.set(keyOf(record), [first.key, second.key]);
    }
    this.#ladders.note(record);
    // A description follows from the records of the sides. Intelligence is learnt again.
    if (NOT_REPORTED.has(record.type)) return;
    if (isReplayed(record) || !('eventId' in record.data)) return;
    const owner = this.#options.ownerOf(record.data.eventId, sourceRefOf(record));
    if (owner === undefined) return;
    const found = await reportOf(record, this.#options.find);
    if (!found) return;
    const mapped = (found === record || !entryOf ? found : withMappedSides(found, entryOf)) as Report;
    const books = mapped.type === 'PricesChanged' ? this.#ladders.booksOf(record, mapped.data.content) : undefined;
    const report: Report = books ? { ...mapped, books } : mapped;
    const { identity } = await this.#stateOf(owner);
    if (identity === null && report.type !== 'EventScheduled') {
      addToGroup(this.#waiting, owner, report);
      return;
    }
    await this.#replayTo(owner, report);
    if (identity !== null) return;
    const waiting = this.#waiting.get(owner) ?? [];
    this.#waiting.delete(owner);
    for (const earlier of waiting) await this.#replayTo(owner, { ...earlier, recordedAt: report.recordedAt });
  }

  async #replayTo(owner: number, report: Report): Promise<void> {
    const { type, data, recordedAt } = report;
    const state = await this.#stateOf(owner);
    const swaps = this.#needsSwap(owner, state, report);
    if (type === 'EventBound') {
      const { at, source, ref, turned } = data;
      if (this.#refused.has(`${sourceRefKey({ source, ref })}|${at}`)) return;
      return this.#bind(owner, { at, source, ref, swapped: turned !== swaps }, recordedAt);
    }
    const origin = swaps ? swappedOrigin(data.origin) : data.origin;
    const { sport, league } = type === 'EventScheduled' ? data : state.identity!;
    const identity: EventIdentity = { eventId: owner, sport, league, ...(origin ? { origin } : {}) };
    const { at, source, ...rest } = (swaps ? swapReport(report) : report).data;
    const content = 'content' in rest ? contentOf(report, rest.content, swaps) : {};
    const fact = { kind: COMMAND_KINDS.get(type), identity, at, source, ...content, ...(origin ? { origin } : {}) };
    if (type === 'EventScheduled') await this.#descriptions.noteNamedBy(report);
    const decider = deciderOf(report);
    const ref = origin?.ref;
    if (type === 'SplitsChanged' && (await this.#isTooLate(owner, fact, state))) {
      if (ref !== undefined) this.#refused.add(`${sourceRefKey({ source, ref })}|${at}`);
      return;
    }
    await this.#decide(decider, owner, fact, recordedAt);
    const swapped = origin?.turned === true;
    if (type !== 'EventScheduled') {
      if (ref !== undefined) await this.#bind(owner, { at, source, ref, swapped }, recordedAt);
      return;
    }
    for (const [refSource, sourceRef] of Object.entries(origin?.refs ?? {})) {
      const named = { source: refSource, ref: sourceRef };
      if (this.#options.ownerOf(data.eventId, named) !== owner) continue;
      await this.#bind(owner, { at, ...named, swapped }, recordedAt);
    }
    await this.#descriptions.describe(owner, { source, firstRecordedAt: recordedAt });
  }

  /** Whether the sides must be put in the opposite order to the order in which they were recorded at first. */
  #needsSwap(owner: number, state: EventState, report: Report): boolean {
    const { type, data } = report;
    const key = `${owner}|${keyOf(report)}`;
    const known = this.#swaps.get(key);
    let swaps: boolean | undefined;
    if (type === 'EventScheduled') {
      const isSwapped = data.origin?.turned === true;
      const [first, second] = data.content.sides;
      const recorded = areSidesSwapped(state, [first.key, second.key]);
      // The first schedule decides the order.
      swaps = state.identity === null ? isSwapped : recorded;
    } else {
      const sides = this.#sides.get(keyOf(report));
      swaps = sides && areSidesSwapped(state, sides);
    }
    this.#swaps.set(key, swaps ?? known ?? false);
    return swaps ?? known ?? false;
  }

  /** Splits are taken only before the start of the event: the start of this event may be another. */
  async #isTooLate(owner: number, fact: { readonly at: string }, { event }: EventState): Promise<boolean> {
    if (timeOf(fact.at) < marketsCloseAt(event)) return false;
    const { states } = this.#options;
    return (await states.decideWithoutStaging(deciderOf({ type: 'SplitsChanged' }), owner, fact)).length > 0;
  }

  async #bind(
    owner: number,
    binding: SourceRef & { readonly at: string; readonly swapped: boolean },
    firstRecordedAt: string,
  ): Promise<void> {
    const identity = (await this.#stateOf(owner)).identity!;
    await this.#decide(eventDecider, owner, { kind: 'binding', identity, ...binding }, firstRecordedAt);
  }

  async #decide(decider: StreamDecider, id: number, fact: unknown, firstRecordedAt: string): Promise<void> {
    await decideAgain(this.#options.states, decider, id, fact, firstRecordedAt);
  }

  #stateOf(id: number): Promise<EventState> {
    return this.#options.states.get(eventDecider, id);
  }
}

/** What a decider gets of a report: its content, or the order books that its prices follow from. */
function contentOf({ type, data, books }: Report, content: object, swaps: boolean): object {
  if (!books || type !== 'PricesChanged') return { content };
  return { venue: data.content.bookmaker, books: swaps ? swapBooks(books, data.sport) : books };
}

/** Records that follow from others. */
const NOT_REPORTED: ReadonlySet<string> = new Set(['ParticipantDescribed', 'IntelligencePublished', 'EventRestated']);

/** An event as it was recorded: since an act it may have its sides in another order, in streams of another name. */
const keyOf = ({ stream }: DomainRecord): string => stream.slice(stream.indexOf('-') + 1);

/** The kinds of commands of the stream `event-ID`. */
const COMMAND_KINDS: ReadonlyMap<string, string> = new Map([
  ['EventScheduled', 'schedule'],
  ['ScoreChanged', 'score'],
  ['InjuriesChecked', 'injuries checked'],
]);

function swappedOrigin(origin: Origin | undefined): Origin {
  if (!origin?.turned) return { ...origin, turned: true };
  const { turned: _, ...straight } = origin;
  return straight;
}
