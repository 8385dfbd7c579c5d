import { createDisk, type Disk } from './disk.ts';
import { createDurableStore, type DurableStore } from './durable-store.ts';
import { createFeed, type Feed } from './feed.ts';
import { Instance } from './instance.ts';
import { anyTime, plan } from './plan.ts';
import { Reader } from './reader.ts';
import { type Settings, settingsOf } from './settings.ts';
import { NAMES, Truth } from './truth.ts';
import { Violation, World } from './world.ts';

export interface SimulateOptions {
  readonly settingsOf?: (world: World) => Settings;
  /** The process that takes this step dies instead. Counted from 1; 0: none. */
  readonly crashAt?: number;
  readonly traced?: boolean;
}

export interface Outcome {
  readonly steps: number;
  /** Steps of processes, each of which may be a process's last one. */
  readonly awaits: number;
  readonly digest: number;
  readonly records: number;
  readonly failure?: Violation;
  readonly lines?: readonly string[];
}

/** After the faults: steps, and milliseconds of the world's time, within which everything must be in order. */
const LONGEST_CALM = { steps: 20_000, time: 300_000 };

/** Plays the world that a seed makes, to its end. Two plays of one seed are the same. */
export async function simulate(seed: number, options: SimulateOptions = {}): Promise<Outcome> {
  const world = new World(seed, options.traced);
  world.crashAt = options.crashAt ?? 0;
  // The runner lets others have the event loop when real time has passed: here that would be chance without a seed.
  const realNow = performance.now;
  performance.now = () => 0;
  let failure: Violation | undefined;
  const simulation = new Simulation(world, (options.settingsOf ?? settingsOf)(world));
  try {
    await simulation.play();
  } catch (error) {
    failure = error instanceof Violation ? error : new Violation(error instanceof Error ? error.stack! : `${error}`);
  } finally {
    performance.now = realNow;
  }
  const { steps, awaits, digest, lines } = world;
  return { steps, awaits, digest, records: simulation.disk.records.length, failure, lines };
}

class Simulation {
  readonly disk: Disk;
  readonly #world: World;
  readonly #settings: Settings;
  readonly #truth: Truth;
  readonly #store: DurableStore;
  readonly #faults: { errors: number };
  readonly #feed: Feed;
  readonly #readers: Reader[] = [];
  readonly #instances = new Set<Instance>();
  readonly #running = () => [...this.#instances].filter(({ isStopping }) => !isStopping);
  #started = 0;
  #trailVersion = 1;
  #isCalm = false;

  constructor(world: World, settings: Settings) {
    this.#world = world;
    this.#settings = settings;
    this.#truth = new Truth(settings.poison);
    world.note(() => JSON.stringify(settings));
    this.#faults = { errors: settings.errors };
    world.latency = settings.latency;
    world.haste = settings.haste;
    world.onCrash = (owner) => this.#crash([...this.#instances].find((one) => one.owner === owner)!);
    this.disk = createDisk(world, (stored) => this.#truth.add(stored));
    this.#store = createDurableStore(world, this.disk, this.#truth, NAMES, settings.instances > 1);
    this.#feed = createFeed(world, this.disk, this.#truth, this.#running, settings);
    const { random } = world;
    for (let i = 0; i < settings.readers; i++) {
      const slow = random.chance(0.5) ? random.below(3) : undefined;
      const reader = new Reader(world, this.#truth, this.#running, 1 + random.below(settings.events), slow);
      this.#readers.push(reader);
      this.#at('a reader comes', () => reader.connect());
      if (random.chance(0.4)) this.#at('a reader leaves', () => reader.leave(random.chance(0.3)));
    }
  }

  /** At any time before the calm. */
  #at(label: string, run: () => void): void {
    this.#world.schedule(null, label, anyTime(this.#world, this.#settings), run);
  }

  async play(): Promise<void> {
    const { duration } = this.#settings;
    plan(this.#world, this.#settings, this.#running, {
      start: () => this.#start(),
      crash: (instance) => this.#crash(instance),
      stop: (instance) => void this.#stop(instance),
      rebuild: (instance, names) => instance.rebuild(names),
      renew: () => {
        this.#trailVersion++;
        for (const instance of this.#instances) this.#crash(instance);
      },
    });
    await this.#steps(() => this.#world.now() >= duration, Number.POSITIVE_INFINITY);
    this.#calm();
    await this.#steps(() => this.#isSettled(), LONGEST_CALM.time);
    await this.#finish();
  }

  #start(): void {
    const parts = { world: this.#world, disk: this.disk, store: this.#store };
    const faults = this.#faults;
    const trailVersion = this.#trailVersion;
    const instance = new Instance(`P${++this.#started}`, parts, { ...this.#settings, faults, trailVersion });
    for (const other of this.#instances) {
      other.hadCompany = true;
      instance.hadCompany = true;
    }
    this.#instances.add(instance);
  }

  #gone(instance: Instance): void {
    if (!this.#instances.delete(instance)) return;
    for (const reader of this.#readers) reader.died(instance);
    const wait = this.#isCalm ? 0 : this.#world.random.below(500);
    this.#world.schedule(null, 'a start', wait, () => {
      if (this.#instances.size < (this.#isCalm ? 1 : this.#settings.instances)) this.#start();
    });
  }

  /** It stops dead where it stands. */
  #crash(instance: Instance): void {
    this.#world.note(() => `${instance.owner.name} crashes`);
    instance.owner.alive = false;
    this.#gone(instance);
  }

  async #stop(instance: Instance): Promise<void> {
    if (instance.isStopping) return;
    this.#world.note(() => `${instance.owner.name} is to stop`);
    for (const reader of this.#readers) reader.stopping(instance);
    await instance.stop().catch(this.#world.failed);
    this.#world.note(() => `${instance.owner.name} has stopped`);
    this.#gone(instance);
  }

  /** No more faults, and one instance. */
  #calm(): void {
    this.#world.note(() => 'calm');
    this.#isCalm = true;
    this.#world.crashAt = 0;
    this.#faults.errors = 0;
    this.#world.latency = { usual: 2, longest: 10 };
    this.#world.haste = 1;
    const [first, ...others] = this.#instances;
    for (const other of others) this.#crash(other);
    if (!first) this.#start();
  }

  #isSettled(): boolean {
    // Not at every step: it costs as much as one.
    if (this.#world.steps % 4 !== 0) return false;
    const [instance] = this.#instances;
    if (!instance || instance.isStopping) return false;
    // Whoever lost a projection to an instance that is gone has to be started again.
    if (instance.hasFailed || instance.stopped().length > 0) this.#crash(instance);
    if (!instance.owner.alive || !instance.isQuiet || !this.#feed.isDone) return false;
    const end = this.disk.records.length;
    const isLive = instance.runner
      .status()
      .every(({ state, position }) => state === 'live' && position === BigInt(end));
    if (!isLive || instance.tails.some(({ position }) => position < end)) return false;
    for (const reader of this.#readers) reader.connect();
    return this.#readers.every(({ isContent }) => isContent);
  }

  async #finish(): Promise<void> {
    const world = this.#world;
    const [instance] = this.#instances;
    this.#feed.check();
    const version = instance!.runner.status().find(({ name }) => name === 'trail')!.version;
    const active = await this.#store.activeGeneration('trail');
    world.check(active!.startsWith(`v${version}`), () => `in the end the build of trail is ${active}, not v${version}`);
    await this.#store.checkReflects(NAMES, this.disk.records.length);
    instance!.checkTold(this.#truth);
    await this.#store.checkEqualsFold();
    for (const reader of this.#readers) reader.leave(true);
    // Openings that nobody waits for any more come to their end first.
    const { hub } = instance!;
    await this.#steps(() => hub.watchedEvents === 0 && !hub.isFollowing, LONGEST_CALM.time);
    let hasStopped = false;
    this.#stop(instance!).then(() => {
      hasStopped = true;
    });
    await this.#steps(() => hasStopped, LONGEST_CALM.time);
  }

  async #steps(until: () => boolean, time: number): Promise<void> {
    const world = this.#world;
    const latest = world.now() + time;
    let steps = 0;
    while (!until()) {
      world.check(steps++ < LONGEST_CALM.steps && world.now() <= latest, () => `no end: ${this.#unsettled()}`);
      if (!(await world.step()) && !until()) world.fail(`nothing is left to happen, but: ${this.#unsettled()}`);
    }
  }

  #unsettled(): string {
    const instances = [...this.#instances].map(({ owner, isQuiet, runner, tails, isStopping }) => ({
      name: owner.name,
      isStopping,
      isQuiet,
      status: runner.status(),
      tails: tails.map(({ position }) => position),
    }));
    const readers = this.#readers.map(({ eventId, isContent }) => ({ eventId, isContent }));
    return JSON.stringify(
      { records: this.disk.records.length, feed: this.#feed.isDone, instances, readers },
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
      1,
    );
  }
}
