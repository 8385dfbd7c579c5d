import { eventDecider } from '../../../commands/events/event-decider.ts';
import { oddsDecider } from '../../../commands/odds-decider.ts';
import type { PricesContent } from '../../../src/domain/odds/bookmaker-prices.ts';
import type { ScheduleContent, ScoreContent } from '../../../src/domain/sports-events/sports-event.ts';
import type { EventIdentity } from '../../../src/domain/streams/domain-events.ts';
import {
  type AppendResult,
  ConflictError,
  type EventLog,
  requireAllAppended,
  type StreamAppend,
} from '../../../src/event-log/port/event-log.ts';
import { StreamStates } from '../../../src/ingest/states/stream-states.ts';

interface Said {
  readonly identity: EventIdentity;
  /** No two facts have the same: it tells which record a fact became. */
  readonly at: string;
  readonly source: string;
}

export type Fact = Said &
  (
    | { readonly kind: 'schedule'; readonly content: ScheduleContent }
    | { readonly kind: 'score'; readonly content: ScoreContent }
    | { readonly kind: 'prices'; readonly content: PricesContent }
    | { readonly kind: 'binding'; readonly ref: string; readonly swapped: boolean }
  );

export interface Taken {
  /** What it cannot take yet: scores of events that nobody knows, as messages come in any order. */
  readonly left: readonly Fact[];
  readonly appends: readonly StreamAppend[];
  readonly results: readonly AppendResult[];
}

/** Facts to domain events as the server's intake makes them, with the real states and deciders; one batch at a time. */
export class Intake {
  readonly #log: EventLog;
  readonly #states: StreamStates;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(log: EventLog) {
    this.#log = log;
    this.#states = new StreamStates(log);
  }

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  async idle(): Promise<void> {
    await this.#last;
  }

  take(facts: readonly Fact[]): Promise<Taken> {
    this.#waiting++;
    const taken = this.#last.then(() => this.#take(facts));
    const done = () => {
      this.#waiting--;
    };
    this.#last = taken.then(done, done);
    return taken;
  }

  async #take(facts: readonly Fact[]): Promise<Taken> {
    const appends: StreamAppend[] = [];
    const results: AppendResult[] = [];
    for (;;) {
      try {
        const left: Fact[] = [];
        for (const fact of facts) if (!(await this.#decide(fact))) left.push(fact);
        const taken = this.#states.takeStaged();
        // Another writer may have told of the event: then what is held here is old.
        if (left.length > 0 && taken.length === 0) this.#states.reset();
        const outcomes = taken.length === 0 ? [] : await this.#log.appendAll(taken);
        // Some may be written although others are in conflict: deciding again finds them there.
        outcomes.forEach((outcome, i) => {
          if (!outcome.ok) return;
          appends.push(taken[i]!);
          results.push(outcome);
        });
        requireAllAppended(outcomes);
        return { left, appends, results };
      } catch (error) {
        this.#states.reset();
        if (!(error instanceof ConflictError)) throw error;
      }
    }
  }

  async #decide(fact: Fact): Promise<boolean> {
    const { eventId } = fact.identity;
    const state = await this.#states.get(eventDecider, eventId);
    if (fact.kind === 'prices') {
      await this.#states.decide(oddsDecider, eventId, fact);
      return true;
    }
    if (fact.kind !== 'schedule' && state.identity === null) return false;
    await this.#states.decide(eventDecider, eventId, fact);
    return true;
  }
}
