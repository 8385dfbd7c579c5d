import { isDeepStrictEqual } from 'node:util';
import type { DomainRecord } from '../../../../src/domain/streams/domain-events.ts';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import { contents, pureFold } from '../../../read-models/runner-kit.ts';
import { gappedLog } from '../../../support/faulty/log-with-gaps.ts';
import { Violation, World } from '../world.ts';
import { checkLedgers } from './check-ledgers.ts';
import { checkLog } from './check-log.ts';
import { createFeeder, type Feeder } from './feeder.ts';
import { EPOCH, messagesOf, type Told } from './messages.ts';
import { createPlaces, type Places } from './places.ts';
import type { Services } from './process.ts';
import { PROJECTIONS } from './projector-process.ts';
import { type Settings, settingsOf } from './settings.ts';
import { createSpender, type Known, type Spender } from './spender.ts';
import { dueMessages, storedMessages, subscribe } from './subscribers.ts';
import { createWatchedIdentities } from './watched-identities.ts';
import { createWatchedStore } from './watched-store.ts';
import { createWatchedWebhooks } from './watched-webhooks.ts';
import { type Faults, wayOf } from './way.ts';

export interface Outcome {
  readonly steps: number;
  readonly digest: number;
  readonly records: number;
  readonly failure?: Violation;
  readonly lines?: readonly string[];
}

/** Steps, and milliseconds of the world's time after the faults, within which everything must be in order. */
const LONGEST = { steps: 60_000, time: 600_000 };

/**
 * Plays two processes of each role on services that are far away, through the world that a seed makes, to its end. Two
 * plays of one seed are the same.
 */
export async function simulateSeveral(seed: number, traced = false): Promise<Outcome> {
  const world = new World(seed, traced);
  // The runner lets others have the event loop when real time has passed: here that would be chance without a seed.
  const realNow = performance.now;
  performance.now = () => 0;
  let failure: Violation | undefined;
  const several = new Several(world);
  try {
    await several.play();
  } catch (error) {
    failure = error instanceof Violation ? error : new Violation(error instanceof Error ? error.stack! : `${error}`);
  } finally {
    performance.now = realNow;
  }
  const { steps, digest, lines } = world;
  return { steps, digest, records: several.records, failure, lines };
}

class Several {
  readonly #world: World;
  readonly #settings: Settings;
  readonly #faults: Faults;
  readonly #services: Services;
  readonly #messages: readonly Told[];
  readonly #feeder: Feeder;
  readonly #spenders: readonly Spender[];
  readonly #known: Known = { charged: new Map(), bought: new Map() };
  readonly #places: Places;
  records = 0;

  constructor(world: World) {
    this.#world = world;
    const settings = settingsOf(world);
    this.#settings = settings;
    world.note(() => JSON.stringify(settings));
    world.latency = settings.latency;
    const embedded = createMemoryLog({ now: () => EPOCH + world.now() });
    embedded.onCommitted((records) => {
      this.records += records.length;
      world.note(() => `recorded ${records.map(({ type, stream }) => `${type} ${stream}`)}`);
    });
    this.#services = {
      log: gappedLog(embedded),
      store: createWatchedStore(world),
      identities: createWatchedIdentities(world),
      webhooks: createWatchedWebhooks(world),
    };
    this.#faults = { lost: settings.lost, posthumous: settings.posthumous };
    this.#places = createPlaces(world, settings, this.#services, embedded, this.#faults);
    this.#messages = messagesOf(world, settings);
    this.#feeder = createFeeder(world, settings, this.#messages, () => this.#places.of('intake'));
    this.#spenders = ['u', 'v'].map((name) => {
      const way = wayOf(world, { name, alive: true }, this.#faults);
      const calls = Math.ceil(settings.calls / 2);
      return createSpender(world, this.#known, name, calls, settings.telling, way, () => this.#places.of('credits')[0]);
    });
  }

  async play(): Promise<void> {
    const world = this.#world;
    const { random } = world;
    const { duration, crashes, subscriptions, telling } = this.#settings;
    for (let count = 0; count < crashes; count++) {
      world.schedule(null, 'a crash', random.below(random.pick([telling, duration])), () => this.#places.crashAny());
    }
    for (let count = 0; count < subscriptions; count++) {
      world.schedule(null, 'a subscription', random.below(telling), () => this.#subscribe());
    }
    await this.#steps(() => world.now() >= duration);
    world.note(() => 'calm');
    this.#faults.lost = 0;
    this.#faults.posthumous = 0;
    world.latency = { usual: 2, longest: 10 };
    this.#places.calm();
    await this.#steps(() => world.steps % 8 === 0 && this.#looksDone());
    await this.#released();
    const end = await this.#services.log.head();
    await this.#steps(() => this.#places.of('projector').some((one) => one.isAt(end)));
    await this.#checkMessages();
    await this.#check();
  }

  /** The server is open to subscribers when its publisher has begun. */
  #subscribe(): void {
    const { webhooks, log } = this.#services;
    if (this.#places.of('publisher').some(({ hasStarted }) => hasStarted)) {
      subscribe(this.#world, webhooks, log).catch(this.#world.failed);
    } else this.#world.schedule(null, 'a subscription', 20, () => this.#subscribe());
  }

  /** What nobody but a process that is dead may take is free again after a while. */
  async #released(): Promise<void> {
    const world = this.#world;
    const latest = world.now() + LONGEST.time;
    const registry = this.#services.identities.open();
    for (;;) {
      // An injury that is in the log waits for its player alone, whom nobody will ever know.
      const awaited = (await registry.listQuarantineKeys(null, 1000)).filter((key) => !key.startsWith('name|player|'));
      if (awaited.length === 0) return;
      world.check(world.now() <= latest, () => `still awaited: ${awaited}`);
      for (let steps = 0; steps < 50; steps++) await world.step();
    }
  }

  #looksDone(): boolean {
    return this.#feeder.isDone && this.#spenders.every(({ isDone }) => isDone) && this.#places.isSound();
  }

  /** Each message to a subscriber is stored, and nothing else. */
  async #checkMessages(): Promise<void> {
    const world = this.#world;
    const due = await dueMessages(this.#services);
    const latest = world.now() + LONGEST.time;
    for (;;) {
      const stored = await storedMessages(world, this.#services.webhooks);
      for (const [id, body] of stored) {
        world.check(due.get(id) === body, () => `message ${id} is\n${body}\nnot\n${due.get(id)}`);
      }
      const missing = [...due.keys()].filter((id) => !stored.has(id));
      if (missing.length === 0) return;
      world.check(world.now() <= latest, () => `subscribers were not told ${missing}`);
      for (let steps = 0; steps < 20; steps++) await world.step();
    }
  }

  async #check(): Promise<void> {
    const world = this.#world;
    const { log, store, identities } = this.#services;
    const records = (await log.readAll(null, 1_000_000)) as readonly DomainRecord[];
    const registry = identities.open();
    await checkLog(world, this.#settings, this.#messages, registry, records);
    await checkLedgers(world, log, this.#known);
    for (const projection of PROJECTIONS) {
      const expected = JSON.stringify(plain(await pureFold(log, projection)));
      const stored = JSON.stringify(plain(await contents(store, projection.name)));
      world.check(
        expected === stored || isDeepStrictEqual(JSON.parse(expected), JSON.parse(stored)),
        () => `${projection.name} holds\n${stored}\nbut the fold of the log is\n${expected}`,
      );
    }
  }

  async #steps(until: () => boolean): Promise<void> {
    const world = this.#world;
    const latest = world.now() + LONGEST.time;
    let steps = 0;
    while (!until()) {
      world.check(steps++ < LONGEST.steps && world.now() <= latest, () => `no end: ${this.#unsettled()}`);
      if (!(await world.step()) && !until()) world.fail(`nothing is left to happen, but: ${this.#unsettled()}`);
    }
  }

  #unsettled(): string {
    const spenders = this.#spenders.map(({ isDone }) => isDone);
    return JSON.stringify({
      records: this.records,
      feeder: this.#feeder.isDone,
      spenders,
      sound: this.#places.isSound(),
    });
  }
}

const plain = (documents: readonly { key: string; position: bigint; document: unknown }[]) =>
  documents.map(({ key, position, document }) => [key, String(position), document]);
