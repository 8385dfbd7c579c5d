import type { EventSubscription } from '../../../src/api/streams/score-hub.ts';
import { createScoreStream, type ScoreStream } from '../../../src/api/streams/score-stream.ts';
import { streams } from '../../../src/domain/streams/domain-events.ts';
import type { ScoreSnapshot } from '../../../src/read-models/rendering/event-schemas.ts';
import type { Instance } from './instance.ts';
import { type Shown, sameSnapshot, type Truth } from './truth.ts';
import type { World } from './world.ts';

interface Connection {
  readonly instance: Instance;
  /** Records that the event's stream had when it was asked for. */
  readonly from: number;
  stream?: ScoreStream;
  /** Index of the last snapshot that came over it, in what the event showed. */
  place?: number;
  isOver: boolean;
}

/** A client of one event's score stream, which comes back when its connection is lost. */
export class Reader {
  readonly eventId: number;
  /** Takes what it is sent late; a few messages wait on the way, then the server is told that it is full. */
  readonly slow: number | undefined;
  isDone = false;
  readonly #world: World;
  readonly #truth: Truth;
  readonly #liveOnes: () => readonly Instance[];
  #connection: Connection | undefined;
  /** Of the newest snapshot that it ever got. */
  #seen = -1;
  #isGone = false;

  constructor(world: World, truth: Truth, liveOnes: () => readonly Instance[], eventId: number, slow?: number) {
    this.#world = world;
    this.#truth = truth;
    this.#liveOnes = liveOnes;
    this.eventId = eventId;
    this.slow = slow;
  }

  get #shown(): readonly Shown[] {
    return this.#truth.shown(streams.event(this.eventId));
  }

  /** It has got what there is to get. */
  get isContent(): boolean {
    if (this.isDone || this.#isGone) return true;
    const place = this.#connection?.place;
    return place !== undefined && this.#shown[place]!.mark === this.#shown.at(-1)!.mark;
  }

  connect(): void {
    if (this.#connection || this.isDone || this.#isGone) return;
    const live = this.#liveOnes();
    if (live.length === 0) {
      this.#comeBack();
      return;
    }
    const instance = this.#world.random.pick(live);
    const connection: Connection = { instance, from: this.#shown.length, isOver: false };
    this.#connection = connection;
    const answered = instance.hub.subscribe(this.eventId).then(
      (held) => {
        if (connection.isOver) held?.release();
        else if (held) this.#begin(connection, held);
        else {
          this.#world.check(connection.from === 0, () => `event ${this.eventId} is said to be unknown`);
          this.#lose(connection);
        }
      },
      () => this.#lose(connection),
    );
    answered.catch(this.#world.failed);
  }

  /** For a while, or for good. */
  leave(forGood: boolean): void {
    this.#isGone = forGood;
    const connection = this.#connection;
    if (!connection) return;
    this.#lose(connection);
    connection.stream?.closed();
  }

  /** The instance is gone, whatever was under way. */
  died(instance: Instance): void {
    if (this.#connection?.instance === instance) this.#lose(this.#connection);
  }

  stopping(instance: Instance): void {
    if (this.#connection?.instance === instance) this.#connection.stream?.shutDown();
  }

  #lose(connection: Connection): void {
    if (connection.isOver) return;
    connection.isOver = true;
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    if (!this.isDone && !this.#isGone) this.#comeBack();
  }

  #comeBack(): void {
    const wait = (50 + this.#world.random.below(1000)) * this.#world.haste;
    this.#world.schedule(null, 'a reader comes back', wait, () => this.connect());
  }

  #begin(connection: Connection, held: EventSubscription): void {
    const world = this.#world;
    const { instance } = connection;
    const underWay: string[] = [];
    const flush = () => {
      for (const text of underWay.splice(0)) this.#receive(connection, text);
      connection.stream!.drained();
    };
    let flushes = false;
    const stream = createScoreStream({
      eventId: this.eventId,
      retryMs: 1000,
      now: world.now,
      setTimer: world.timerOf(instance.owner, 'timer of a stream', instance.timers, 1),
      onEnd: () => held.release(),
      sink: {
        unread: 0,
        write: (bytes) => {
          underWay.push(bytes.toString());
          if (this.slow === undefined) {
            for (const text of underWay.splice(0)) this.#receive(connection, text);
            return true;
          }
          if (!flushes) {
            flushes = true;
            // Now and then so slow that it is cut.
            const wait = world.random.chance(0.03) ? 40_000 : world.random.below(world.random.pick([50, 500, 3000]));
            world.schedule(instance.owner, 'a reader takes more', wait, () => {
              flushes = false;
              flush();
            });
          }
          return underWay.length <= this.slow;
        },
        end: () => {
          for (const text of underWay.splice(0)) this.#receive(connection, text);
          this.#lose(connection);
          // Not within its own call.
          instance.ending++;
          world.schedule(instance.owner, 'a stream is closed', 0, () => {
            instance.ending--;
            connection.stream!.closed();
          });
        },
        cut: () => this.#lose(connection),
      },
    });
    connection.stream = stream;
    const current = held.join({
      changed: stream.changed,
      failed: () => world.fail(`event ${this.eventId} cannot be followed`),
    });
    stream.begin(current);
    if (instance.isStopping) stream.shutDown();
  }

  #receive(connection: Connection, text: string): void {
    if (connection.isOver) return;
    const event = /^event: (.*)$/m.exec(text)?.[1];
    const data = /^data: (.*)$/m.exec(text)?.[1];
    if (event === 'score') this.#score(connection, Number(/^id: (.*)$/m.exec(text)![1]), JSON.parse(data!));
    else if (event === 'done') {
      const { place } = connection;
      this.#check(place !== undefined && this.#shown[place]!.over, 'got `done`, but its event is not over');
      this.isDone = true;
    }
  }

  /** Each is what the event showed, newer than the one before, and a quick reader misses none. */
  #score(connection: Connection, position: number, snapshot: ScoreSnapshot): void {
    const shown = this.#shown;
    const place = shown.findIndex((one) => one.position === position);
    this.#check(place >= 0, `got ${position}, which is no record of its event`);
    const here = shown[place]!;
    this.#world.note(() => `reader of ${this.eventId} got ${position}`);
    this.#check(sameSnapshot(here.text, snapshot), `got ${JSON.stringify(snapshot)}, but it showed ${here.text}`);
    const before = connection.place;
    if (before === undefined) {
      this.#check(place >= connection.from - 1, `was opened with ${position}, which was old already`);
      this.#check(place >= this.#seen, `was opened with ${position}, older than what it had`);
    } else {
      const next = shown.findIndex((one, at) => at > before && one.mark !== shown[at - 1]!.mark);
      this.#check(next >= 0 && place >= next, `got ${position} after ${shown[before]!.position}: not newer`);
      this.#check(here.mark !== shown[before]!.mark, `got ${position}, which shows the same as before`);
      if (this.slow === undefined) this.#check(place === next, `got ${position}, but missed ${shown[next]!.position}`);
    }
    connection.place = place;
    this.#seen = place;
  }

  #check(holds: boolean, message: string): void {
    this.#world.check(holds, () => `a reader of event ${this.eventId} ${message}`);
  }
}
