import { type AnswerCache, createAnswerCache } from '../../../src/api/calls/answer-cache/answer-cache.ts';
import { createInvalidatingStore } from '../../../src/api/calls/answer-cache/invalidating-store.ts';
import { createScoreHub, type ScoreHub } from '../../../src/api/streams/score-hub.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createLogFeed } from '../../../src/event-log/subscription/log-feed.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../src/read-models/projector/projection-runner.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import { type Calls, callLog, callStore, createCalls, type Faults, Injected } from './calls.ts';
import { type ChangeWatch, createChangeWatch } from './change-watch.ts';
import type { Disk, Hints } from './disk.ts';
import type { DurableStore } from './durable-store.ts';
import { Intake } from './intake.ts';
import { checkPolled, followTail, type Tail } from './tail.ts';
import { PATIENT_TYPE, projectionsOf, type Truth } from './truth.ts';
import { view } from './viewer.ts';
import type { Owner, World } from './world.ts';

export interface InstanceSettings {
  readonly faults: Faults;
  readonly hints: Hints;
  readonly batchSize: number;
  readonly bufferLimit: number;
  readonly stretchRecords: number;
  readonly pieceDocuments: number;
  readonly cacheDocuments: number;
  readonly groupRecords: number;
  readonly torn: boolean;
  readonly intakes: number;
  readonly answersBytes: number;
  readonly trailVersion: number;
  readonly isPrompt: boolean;
  /** The first version of one projection meets a record that it cannot fold. */
  readonly poison: boolean;
}

export interface Parts {
  readonly world: World;
  readonly disk: Disk;
  readonly store: DurableStore;
}

/** One running server: the log, the projections, the score streams, and what takes messages in. */
export class Instance {
  readonly owner: Owner;
  readonly trailVersion: number;
  readonly runner: ProjectionRunner;
  readonly hub: ScoreHub;
  readonly intakes: readonly Intake[];
  readonly tails: Tail[] = [];
  /** Another subscriber comes. */
  readonly follow: () => void;
  /** Another one ran on the same store at some time: losing a projection to it is no fault. */
  hadCompany = false;
  hasStarted = false;
  isStopping = false;
  /** It could not start, as the store or the log failed: someone has to try again. */
  hasFailed = false;
  rebuilds = 0;
  /** Streams that are to be closed. */
  ending = 0;
  readonly timers = { set: 0 };
  readonly #parts: Parts;
  readonly #calls: Calls;
  readonly #listeners: () => number;
  readonly #answers: AnswerCache;
  readonly #readStore: ReadStore;
  readonly #changes: ChangeWatch;

  constructor(name: string, parts: Parts, settings: InstanceSettings) {
    const { world, disk, store } = parts;
    const { faults, hints, batchSize, bufferLimit, groupRecords, trailVersion } = settings;
    const { stretchRecords: rebuildBatchSize, pieceDocuments: documentsPerWrite, cacheDocuments } = settings;
    const owner = { name, alive: true };
    this.owner = owner;
    this.trailVersion = trailVersion;
    this.#parts = parts;
    this.#calls = createCalls(world, owner, faults);
    const opened = disk.open(owner, { faults, hints, groupRecords });
    this.#listeners = opened.listeners;
    const log: EventLog = callLog(opened, this.#calls.call);
    const readStore = callStore(store, this.#calls.call, settings.torn);
    this.#answers = createAnswerCache(settings.answersBytes);
    this.#readStore = readStore;
    const timerOf = world.timerOf(owner, 'poll of the runner', this.timers);
    this.runner = createProjectionRunner({
      log,
      feed: createLogFeed(log),
      store: createInvalidatingStore(readStore, this.#answers),
      projections: projectionsOf(trailVersion, settings.poison),
      batchSize,
      rebuildBatchSize,
      documentsPerWrite,
      cacheDocuments,
      now: world.now,
      delay: world.delayOf(owner),
      setTimer: (callback, milliseconds) =>
        timerOf(() => {
          checkPolled(world, disk, settings.isPrompt, this.#furthest(), PATIENT_TYPE);
          callback();
        }, milliseconds),
      logger: world.lines && loggerOf(world, name),
    });
    this.hub = createScoreHub({
      log,
      feed: createLogFeed(log),
      store: readStore,
      setTimer: world.timerOf(owner, 'timer of the hub', this.timers),
      batchSize,
      bufferLimit,
      onError: (error) => {
        // Not thrown: it would go to whoever told the hub.
        if (!(error instanceof Injected)) world.failed(error);
      },
    });
    this.intakes = Array.from({ length: settings.intakes }, () => new Intake(log));
    this.follow = () => {
      const { isPrompt } = settings;
      this.tails.push(followTail(world, disk, owner, log, batchSize, bufferLimit, this.timers, isPrompt));
    };
    this.follow();
    this.#changes = createChangeWatch(world, store, disk.records.length, () => !this.hadCompany);
    this.runner.documentChanges.subscribe(this.#changes.hear);
    const started = this.runner.start().then(
      () => {
        this.hasStarted = true;
      },
      (error: unknown) => {
        if (this.isStopping) return;
        this.#expectInjected('the start', error);
        this.hasFailed = true;
      },
    );
    started.catch(world.failed);
  }

  #expectInjected(what: string, error: unknown): void {
    if (error instanceof Injected || this.hadCompany) return;
    this.#parts.world.fail(`${what}: ${error instanceof Error ? error.stack : error}`);
  }

  /** As a client does that wants to read what it wrote. */
  waitFor(position: bigint): Promise<void> {
    const { world, store } = this.#parts;
    return this.runner.waitFor(position).then(
      () => {
        world.note(() => `${this.owner.name} reflects ${position}`);
        const stopped = this.stopped();
        const names = this.runner.status().flatMap(({ name }) => (stopped.includes(name) ? [] : [name]));
        return store.checkReflects(names, Number(position));
      },
      (error: unknown) => {
        if (!this.isStopping) throw error;
      },
    );
  }

  #furthest(): number {
    return Math.max(...this.runner.status().map(({ position }) => Number(position ?? 0n)));
  }

  /** A request, now. */
  view(projection: string, id: number): void {
    const { world, store } = this.#parts;
    // The kept answers hear of this process's writes only.
    if (!this.hadCompany) view(world, store, this.#readStore, this.#answers, projection, id).catch(world.failed);
  }

  /** The last change of every document since its start was told. */
  checkTold(truth: Truth): void {
    this.#changes.check(truth, this.runner.status());
  }

  stopped(): string[] {
    const status = this.runner.status().filter(({ state }) => state === 'stopped');
    const isPoisoned = status.every(({ reason }) => reason!.endsWith(': poison'));
    if (!isPoisoned && !this.hadCompany) {
      this.#parts.world.fail(`${this.owner.name} ran alone, but stopped: ${status.map(({ reason }) => reason)}`);
    }
    return status.map(({ name }) => name);
  }

  rebuild(names: readonly string[] | undefined): void {
    const { world } = this.#parts;
    this.rebuilds++;
    const finished = () => {
      this.rebuilds--;
    };
    const ended = this.runner.rebuild(names).then(
      () => {
        world.note(() => `${this.owner.name} has rebuilt ${names}`);
        finished();
      },
      (error: unknown) => {
        world.note(() => `${this.owner.name} has not rebuilt ${names}: ${error}`);
        finished();
        const isRefused = error instanceof Error && /is being built already|: poison$/.test(error.message);
        if (!isRefused && !this.isStopping && !this.hasFailed) this.#expectInjected('a rebuild', error);
      },
    );
    ended.catch(world.failed);
  }

  /** Its end by its own will. Resolves when nothing of it is left. */
  async stop(): Promise<void> {
    const { world } = this.#parts;
    this.isStopping = true;
    for (const tail of this.tails) tail.end();
    await Promise.all([this.hub.close(), this.runner.stop(), ...this.tails.map(({ ended }) => ended)]);
    for (const intake of this.intakes) await intake.idle();
    // What a client still asks for when it ends may be under way.
    while (this.#calls.pending > 0 || this.rebuilds > 0 || this.ending > 0)
      await world.pause(this.owner, 'stopping', 1);
    const left = [this.timers.set, this.#listeners()];
    world.check(
      left.every((count) => count === 0),
      () => `${this.owner.name} has stopped, but timers and listeners are left: ${left}`,
    );
    this.owner.alive = false;
  }

  /** Nothing is under way but what repeats for ever. */
  get isQuiet(): boolean {
    return this.hasStarted && this.rebuilds === 0 && this.intakes.every(({ isIdle }) => isIdle);
  }
}

const loggerOf = (world: World, name: string) => {
  const write = (fields: unknown, text?: string) => world.note(() => `${name} ${text} ${JSON.stringify(fields)}`);
  return { info: write, warn: write, error: write };
};
