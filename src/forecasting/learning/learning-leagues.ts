import { hasReachedPositions, type PartitionPositions } from '../../domain/event-sourcing/position.ts';
import { createWaiters } from '../../read-models/projector/progress/waiters.ts';

/** With more results than this at once, a league has no forecasts until all of them are learned. */
export const MANY_RESULTS = 32;

interface LearningLeaguesParts {
  /**
   * Reads the positions of the log's end, when what is being imported is in the log. Rejects when the service is closed.
   */
  readonly readEnds: () => Promise<ReadonlyMap<string, bigint | null>>;
  /** Called when the end was found that the leagues are to be learned up to. */
  readonly onTarget: () => void;
}

/**
 * The leagues of which the server knows only a part of the results in its log: all of them after the start, and later
 * those that got many results at once. They are not forecast until everything is learned that was in the log when the
 * last of these results came, and what was being imported then.
 *
 * At once: before everything was learned up to the end of the log. An import comes in parts, and each may be learned
 * before the next is there: they count together all the same.
 */
export class LearningLeagues {
  readonly #parts: LearningLeaguesParts;
  readonly #late = new Set<string>();
  /** The events of each league whose results have come since everything was learned. */
  readonly #unlearned = new Map<string, Set<number>>();
  readonly #waiters = createWaiters();
  #isAll = false;
  #begun = 0;
  /** The leagues are learned when everything up to here is learned; undefined: this is not known yet. */
  #target: PartitionPositions | undefined;
  #isFindingTarget = false;
  /** How many results were noted. */
  #noted = 0;

  constructor(parts: LearningLeaguesParts) {
    this.#parts = parts;
  }

  /** Notes that no league is learned. */
  begin(): void {
    this.#isAll = true;
    this.#begun++;
    this.#target = undefined;
  }

  /** How often learning has begun: what was computed before it began again may be half learned. */
  get begun(): number {
    return this.#begun;
  }

  has(sport: string, league: string): boolean {
    return this.#isAll || this.#late.has(keyOf(sport, league));
  }

  get isEmpty(): boolean {
    return !this.#isAll && this.#late.size === 0;
  }

  /** Notes a result that is still to be learned. */
  noteResult(sport: string, league: string, eventId: number): void {
    const key = keyOf(sport, league);
    const known = this.#unlearned.get(key) ?? new Set();
    if (known.size <= MANY_RESULTS) known.add(eventId);
    this.#unlearned.set(key, known);
    this.#noted++;
    // More may follow: find the end of the log again.
    if (!this.#isAll) this.#target = undefined;
    if (known.size > MANY_RESULTS) this.noteLate(sport, league);
  }

  /** Notes that not all of what is known of a league is learned. */
  noteLate(sport: string, league: string): void {
    const key = keyOf(sport, league);
    if (!this.#late.has(key)) this.#begun++;
    this.#late.add(key);
    this.#target = undefined;
  }

  /** Call when everything that was read is learned. */
  settle(read: ReadonlyMap<string, bigint>): void {
    if (this.isEmpty && this.#unlearned.size === 0) return;
    if (this.#target === undefined) return void this.#findTarget();
    if (!hasReachedPositions(read, this.#target)) return;
    this.#isAll = false;
    this.#late.clear();
    this.#unlearned.clear();
    this.#waiters.check();
  }

  async #findTarget(): Promise<void> {
    if (this.#isFindingTarget) return;
    this.#isFindingTarget = true;
    const noted = this.#noted;
    const ends = await this.#parts.readEnds().catch(() => undefined);
    this.#isFindingTarget = false;
    if (!ends) return;
    // A result that came meanwhile may be one of many.
    if (noted === this.#noted) this.setTarget(ends);
    this.#parts.onTarget();
  }

  setTarget(ends: ReadonlyMap<string, bigint | null>): void {
    this.#target = new Map([...ends].flatMap(([partition, end]) => (end === null ? [] : [[partition, end] as const])));
  }

  /** Resolves when no league is in here. @throws the signal's reason */
  async waitUntilEmpty(signal: AbortSignal): Promise<void> {
    await this.#waiters.wait('learned forecasts', () => this.isEmpty, { signal });
  }
}

const keyOf = (sport: string, league: string): string => `${sport} ${league}`;
