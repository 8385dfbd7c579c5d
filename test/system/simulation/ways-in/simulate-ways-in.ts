import { Kysely, type SqliteDatabase as KyselySqlite, SqliteDialect } from 'kysely';
import type { DomainRecord } from '../../../../src/domain/streams/domain-events.ts';
import type { EventLog } from '../../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import { SqlIdentities } from '../../../../src/ingest/identities/sql/sql-identities.ts';
import { FeedIntake } from '../../../../src/ingest/pipeline/feed-intake.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../../../../src/platform/sqlite/sqlite-database.ts';
import { createSqliteRunner } from '../../../../src/platform/sqlite/sqlite-runner.ts';
import { createFaultyIdentities } from '../../../support/faulty/faulty-identities.ts';
import { shuffledHistories } from '../../kill/shuffled-histories.ts';
import { wayOf } from '../several/way.ts';
import { type Owner, Violation, World } from '../world.ts';

type Message = Record<string, unknown>;
const NOW = Date.parse('2026-12-01T00:00:00Z');
const LONGEST = 200_000;

export interface Played {
  /** Steps of processes, each of which may be a process's last one. */
  readonly awaits: number;
  readonly crashes: number;
  readonly digest: number;
  readonly failure?: Violation;
  readonly lines?: readonly string[];
}

export interface PlayOptions {
  /** The process that takes this step dies instead. Counted from 1; absent: some do, as the seed decides. */
  readonly crashAt?: number;
  readonly traced?: boolean;
}

/**
 * A data folder, as one machine has it: a server with two doors at which feeders send what is told of a game, and a
 * command that hands its messages to the server, or takes them in by itself while there is none. A process dies at any
 * step; what was not acknowledged is sent again. In the end all of it is in the log, or waits as it should.
 */
export async function simulateWaysIn(seed: number, { crashAt, traced = false }: PlayOptions = {}): Promise<Played> {
  const world = new World(seed, traced);
  world.latency = { usual: 4, longest: 20 };
  const folder = newFolder();
  const doors = new Doors(world, folder, crashAt);
  // The intake lets others have the event loop when real time has passed: here that would be chance without a seed.
  const realNow = performance.now;
  performance.now = () => 0;
  let failure: Violation | undefined;
  try {
    await doors.play();
  } catch (error) {
    failure = error instanceof Violation ? error : new Violation(error instanceof Error ? error.stack! : `${error}`);
  } finally {
    performance.now = realNow;
    await folder.registry.destroy();
  }
  const { awaits, digest, lines } = world;
  return { awaits, crashes: doors.crashes, digest, failure, lines };
}

interface Folder {
  readonly database: SqliteDatabase;
  readonly registry: Kysely<unknown>;
}

function newFolder(): Folder {
  const database = openSqliteDatabase({ file: ':memory:' });
  // The driver's own types differ in details from those of the library whose interface it has.
  const dialect = new SqliteDialect({ database: database as unknown as KyselySqlite });
  return { database, registry: new Kysely<unknown>({ dialect }) };
}

interface Process {
  readonly owner: Owner;
  readonly died: Promise<'died'>;
  readonly die: () => void;
  /** Fails where the process dies before. */
  accept(messages: readonly Message[]): Promise<readonly { readonly status: string }[]>;
}

class Doors {
  readonly #world: World;
  readonly #folder: Folder;
  readonly #log: EventLog;
  readonly #messages: readonly Message[];
  readonly #every: boolean;
  /** Who holds the folder's lock, and whether somebody does. */
  #holder: Process | undefined;
  #isLocked = false;
  #server: Process | undefined;
  #started = 0;
  #sending = 3;
  crashes = 0;

  constructor(world: World, folder: Folder, crashAt: number | undefined) {
    this.#world = world;
    this.#folder = folder;
    this.#log = createMemoryLog({ now: () => NOW + world.now() });
    this.#log.onCommitted((records) =>
      world.note(() => `recorded ${records.map(({ type, stream }) => `${type} ${stream}`)}`),
    );
    // Few, so that a crash falls between any two of their steps before long; and injuries mostly before their teams.
    this.#messages = shuffledHistories(world.seed, 1)
      .filter(({ kind }, n) => !isPlay(kind) || n % 6 === 0)
      .map((message, n) => ({ message, place: message['kind'] === 'injury' ? n / 3 : n }))
      .sort((a, b) => a.place - b.place)
      .map(({ message }) => message);
    this.#every = crashAt === undefined;
    world.crashAt = crashAt ?? this.#nextCrash();
    world.onCrash = (owner) => {
      world.note(() => `${owner.name} dies`);
      this.crashes++;
      if (this.#every) world.crashAt = this.#nextCrash();
      this.#holder!.die();
    };
  }

  #nextCrash = (): number => this.#world.awaits + 1 + this.#world.random.below(200);

  async #open(name: string): Promise<Process> {
    this.#isLocked = true;
    const world = this.#world;
    const owner = { name: `${name} ${++this.#started}`, alive: true };
    const far = wayOf(world, owner, { lost: 0, posthumous: 0 });
    let told = (_: 'died') => {};
    const died = new Promise<'died'>((resolve) => {
      told = resolve;
    });
    const { registry, database } = this.#folder;
    const identities = await SqlIdentities.open(registry, createSqliteRunner(database), { isSoleWriter: true });
    const intake = new FeedIntake({
      log: {
        ...this.#log,
        appendAll: (appends) => far.call('appendAll', () => this.#log.appendAll(appends)),
        readStreams: (streams) => far.call('readStreams', () => this.#log.readStreams(streams)),
      },
      identities: createFaultyIdentities(identities, far),
      now: () => NOW + world.now(),
      pause: (milliseconds) => world.pause(owner, 'a pause', milliseconds),
      random: () => 0,
    });
    const resumed = intake.retryQuarantined();
    resumed.catch(world.failed);
    const process: Process = {
      owner,
      died,
      die: () => {
        owner.alive = false;
        if (this.#holder === process) {
          this.#holder = undefined;
          this.#isLocked = false;
        }
        if (this.#server === process) this.#server = undefined;
        told('died');
      },
      async accept(messages) {
        await resumed;
        const items = messages.map((value, index) => ({ line: index + 1, value: structuredClone(value) }));
        return (await intake.accept(items)).outcomes;
      },
    };
    this.#holder = process;
    await Promise.race([resumed, died]);
    return process;
  }

  /** It starts whenever the folder is free, until all is sent. */
  async #serve(): Promise<void> {
    for (;;) {
      await this.#world.pause(null, 'a start', this.#world.random.below(60));
      if (this.#sending === 0) return;
      if (this.#isLocked) continue;
      const process = await this.#open('server');
      if (!process.owner.alive) continue;
      this.#server = process;
      await process.died;
    }
  }

  /** @returns whether they were acknowledged */
  async #deliver(to: Process, messages: readonly Message[]): Promise<boolean> {
    const world = this.#world;
    const outcomes = await Promise.race([to.accept(messages), to.died]);
    if (outcomes === 'died') return false;
    world.note(() => `${to.owner.name} has taken ${outcomes.map(({ status }, i) => said(status, messages[i]!))}`);
    for (const { status } of outcomes) world.check(status !== 'rejected', () => 'a good message was refused');
    return true;
  }

  async #feed(messages: readonly Message[]): Promise<void> {
    const { random } = this.#world;
    for (let from = 0; from < messages.length; ) {
      const part = messages.slice(from, from + 1 + random.below(5));
      while (!this.#server || !(await this.#deliver(this.#server, part))) await this.#pause();
      from += part.length;
      await this.#pause();
    }
    this.#sending--;
  }

  async #command(messages: readonly Message[]): Promise<void> {
    for (let from = 0; from < messages.length; from += 8) {
      const part = messages.slice(from, from + 8);
      while (!(await this.#commandOnce(part))) await this.#pause();
      await this.#pause();
    }
    this.#sending--;
  }

  async #commandOnce(part: readonly Message[]): Promise<boolean> {
    if (this.#server) return this.#deliver(this.#server, part);
    if (this.#isLocked) return false;
    const process = await this.#open('command');
    const isTaken = process.owner.alive && (await this.#deliver(process, part));
    process.die();
    return isTaken;
  }

  #pause = () => this.#world.pause(null, 'a sender waits', this.#world.random.below(40));

  async play(): Promise<void> {
    const world = this.#world;
    const third = (n: number) => this.#messages.filter((_, index) => index % 3 === n);
    const going = [this.#serve(), this.#feed(third(0)), this.#feed(third(1)), this.#command(third(2))];
    for (const one of going) one.catch(world.failed);
    await this.#steps(() => this.#sending === 0);
    world.crashAt = 0;
    // A start that is under way comes to its end first.
    await this.#steps(() => !this.#isLocked || this.#holder !== undefined);
    this.#holder?.die();
    let isChecked = false;
    this.#check().then(() => {
      isChecked = true;
    }, world.failed);
    await this.#steps(() => isChecked);
  }

  /** Sent once more, nothing is new; and nothing waits but what nobody will ever make known. */
  async #check(): Promise<void> {
    const world = this.#world;
    const process = await this.#open('check');
    const identities = await SqlIdentities.open(this.#folder.registry);
    const waiting = (await identities.listQuarantined(1000)).map(({ message }) => textOf(message as Message)).sort();
    const due = this.#messages.filter(({ player }) => String(player).startsWith('Unknown'));
    const records = (await this.#log.readAll(null, 100_000)) as readonly DomainRecord[];
    const outcomes = await process.accept(this.#messages);
    for (const [index, { status }] of outcomes.entries()) {
      const message = this.#messages[index]!;
      world.check(status === 'unchanged', () => `was acknowledged, and is ${status} now: ${JSON.stringify(message)}`);
    }
    const expected = due.map(textOf).sort();
    world.check(`${waiting}` === `${expected}`, () => `${waiting}\nwait, and not\n${expected}`);
    const numbers = await identities.countQuarantined();
    const quarantined = numbers.reduce((sum, { accepted, number }) => (accepted ? sum : sum + number), 0);
    const accepted = numbers.reduce((sum, { number }) => sum + number, 0) - quarantined;
    world.check(
      quarantined === 0 && accepted === due.length,
      () => `${quarantined} are counted as quarantined, and ${accepted} as accepted`,
    );
    const made = records.filter(({ type }) => type === 'EventScheduled').map(({ stream }) => stream);
    world.check(new Set(made).size === 1, () => `one game became ${made}`);
  }

  async #steps(until: () => boolean, most = LONGEST): Promise<void> {
    const world = this.#world;
    for (let steps = 0; !until(); steps++) {
      world.check(steps < most, () => 'no end');
      if (!(await world.step()) && !until()) world.fail('nothing is left to happen');
    }
  }
}

const isPlay = (kind: unknown): boolean => kind === 'score' || kind === 'odds';
const said = (status: string, { kind, source, at }: Message) => `${status} ${kind} ${source} ${at}`;
const textOf = ({ player, at }: Message): string => `${player} ${at}`;
