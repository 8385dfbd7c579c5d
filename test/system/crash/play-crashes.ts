import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Random, randomOf } from '../../api/fuzz/random.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import type { Acknowledged } from './acknowledged.ts';
import { leaveAfterPowerFailure, readFolder } from './after-power-failure.ts';
import { checkKept, expectWholeDatabase, must } from './check-kept.ts';
import { ask, beClients, type ClientParts, isOfConnection, sendMessages } from './clients.ts';
import {
  type Fault,
  type FaultFiles,
  faultFiles,
  faultyEnvironment,
  setWell,
  textOf,
  whatHappened,
} from './disk-faults.ts';
import type { Prepared } from './prepared-folder.ts';
import { ScoreSubscription } from './score-subscription.ts';
import { type Life, warmServer } from './server-life.ts';
import {
  cutsOffCharge,
  errorsIn,
  isDegraded,
  isDispensable,
  isTold,
  namesFile,
  TELLS_WITHIN,
  untilTold,
} from './told-failures.ts';
import type { Receiver } from './webhook-receiver.ts';

export interface PlayOptions {
  readonly place: string;
  readonly prepared: Prepared;
  readonly receiver: Receiver;
  /** What fails, and after each of which the server starts again. */
  readonly faults: (random: Random) => readonly Fault[];
}

export interface Played {
  readonly seed: number;
  /** The failures that came, each in a line. */
  readonly lines: readonly string[];
  readonly acknowledged: Acknowledged;
  readonly broken?: Error;
}

const ANSWERS_OF_A_RUN = 60;

/** Plays one folder through some failures, and a run without any in the end. The plan is the seed's; the threads are not. */
export async function playCrashes(seed: number, options: PlayOptions): Promise<Played> {
  const play = new Play(seed, options);
  let broken: Error | undefined;
  try {
    await play.all();
  } catch (error) {
    broken = error as Error;
  }
  if (!broken) rmSync(play.place, { recursive: true, force: true });
  const { lines, acknowledged } = play;
  return { seed, lines, acknowledged, ...(broken ? { broken } : {}) };
}

class Play {
  readonly place: string;
  readonly lines: string[] = [];
  readonly acknowledged: Acknowledged = { messages: [], calls: [], purchases: [], keys: [], users: [] };
  readonly #options: PlayOptions;
  readonly #folder: string;
  readonly #random: Random;
  readonly #subscription: ScoreSubscription;
  #ids = 0;
  /** The journal may hold half of a charge. */
  #mayBeCutOff = false;
  /** What is looked at after the next start. */
  #unseen = { messages: 0, keys: 0 };

  constructor(seed: number, options: PlayOptions) {
    this.#options = options;
    this.place = mkdtempSync(join(options.place, `seed-${seed}-`));
    this.#folder = join(this.place, 'data');
    this.#random = randomOf(seed);
    this.#subscription = new ScoreSubscription(this.#folder, options.receiver, String(seed));
    mkdirSync(this.#folder, { mode: 0o700 });
    cpSync(options.prepared.folder, this.#folder, { recursive: true });
  }

  async all(): Promise<void> {
    const faults = this.#options.faults(this.#random);
    const warm = (life: number) => {
      const fault = faults[life];
      if (!fault) return warmServer();
      return warmServer(faultyEnvironment(this.#folder, fault, faultFiles(this.place, life)));
    };
    let next = warm(0);
    try {
      for (const [index, fault] of faults.entries()) {
        const before = readFolder(this.#folder);
        const life = await next.start(this.#folder, this.#options.prepared.env);
        next = warm(index + 1);
        try {
          await this.#live(life, fault, index, before);
        } finally {
          life.kill('SIGKILL');
          await life.ended;
        }
      }
      const last = await next.start(this.#folder, this.#options.prepared.env);
      try {
        await this.#lastLife(last);
      } finally {
        last.kill('SIGKILL');
        await last.ended;
      }
    } finally {
      await next.drop();
    }
  }

  #clients(life: Life, isOver: () => boolean): ClientParts {
    const newId = (of: string) => `${of}${++this.#ids}`;
    const { owner } = this.#options.prepared;
    const { acknowledged } = this;
    return { url: life.url, folder: this.#folder, random: this.#random, owner, acknowledged, newId, isOver };
  }

  async #live(life: Life, fault: Fault, index: number, before: ReadonlyMap<string, Buffer>): Promise<void> {
    const files = faultFiles(this.place, index);
    const happened = () => whatHappened(files);
    const line = () => `${textOf(fault)}: ${happened() ?? 'did not come'}`;
    const isReady = await this.#ready(life, fault, happened, files);
    if (isReady) {
      await this.#unlessFailed(life, happened, () => this.#check(life));
      setWell(files, false);
      if (!life.hasEnded()) await this.#work(life, fault, happened);
    } else must(happened() !== undefined, () => `it did not start: ${life.stderr()}`);
    if (isReady && happened() === undefined && fault.name !== 'kill' && fault.name !== 'power') await this.#stop(life);
    const what = happened();
    this.lines.push(`${line()}${isReady ? '' : ', at the start'}`);
    await this.#judge(life, fault, what, files, isReady);
    life.kill('SIGKILL');
    await life.ended;
    const losesPower =
      fault.name === 'power' || (fault.name === 'fail' && what !== undefined && this.#random.chance(0.7));
    // A start that is ready has read the journal.
    this.#mayBeCutOff = (this.#mayBeCutOff && !isReady) || losesPower || cutsOffCharge(fault, what);
    if (losesPower) leaveAfterPowerFailure(this.#folder, before, readFileSync(files.journal), this.#random);
  }

  /** A server that has no room at its start waits for it before it is ready. */
  async #ready(life: Life, fault: Fault, happened: () => string | undefined, files: FaultFiles): Promise<boolean> {
    let isOver = false;
    const ready = life.ready.finally(() => {
      isOver = true;
    });
    if (fault.name !== 'full') return ready;
    while (!isOver && happened() === undefined) await delay(20);
    for (const end = Date.now() + patientTimeout(TELLS_WITHIN); !isOver && Date.now() < end; ) await delay(20);
    if (isOver) return ready;
    setWell(files, true);
    for (const end = Date.now() + patientTimeout(20_000); !isOver; await delay(50))
      must(Date.now() < end, () => `there is room again, and it does not get ready: ${life.stderr()}`);
    return ready;
  }

  /** A check that meets the failure says nothing: the next start is looked at. */
  async #unlessFailed(life: Life, happened: () => unknown, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      // The end of a process is known a little after its connections are gone.
      if (isOfConnection(error)) await delay(patientTimeout(100));
      if (happened() !== undefined || life.hasEnded()) return;
      throw isOfConnection(error)
        ? new Error(`no answer, from a server that runs: ${life.stderr()}`, { cause: error })
        : error;
    }
  }

  async #check(life: Life): Promise<void> {
    const { messages, keys } = this.acknowledged;
    const seen = { messages: messages.length, keys: keys.length };
    await checkKept({ ...this.#clients(life, () => false), since: this.#unseen });
    this.#unseen = seen;
    await this.#subscription.ensure(life.url, this.#options.prepared.owner.keys[0]!);
  }

  /**
   * Clients work until the failure has come and a moment has gone, or for the time of a run. On a slow machine that takes
   * longer: else nobody would get as far as to subscribe.
   */
  async #work(life: Life, fault: Fault, happened: () => string | undefined): Promise<void> {
    const [begun, least] = [Date.now(), fault.from === 'work' ? patientTimeout(1500) : 150 + this.#random.below(350)];
    const { calls, messages } = this.acknowledged;
    const enough = calls.length + messages.length + ANSWERS_OF_A_RUN;
    const isTime = () =>
      Date.now() > begun + least &&
      (calls.length + messages.length > enough || Date.now() > begun + patientTimeout(least));
    let over = false;
    const working = beClients(this.#clients(life, () => over || life.hasEnded()));
    const watching = (async () => {
      while (!life.hasEnded() && happened() === undefined && !isTime()) await delay(5);
      if (!life.hasEnded() && happened() !== undefined) {
        await untilTold(life);
        // What it answers now counts too.
        if (!life.hasEnded()) await delay(100);
      }
      // A kill or a power failure that did not come by an operation comes now, in the midst of the work.
      if (fault.name === 'kill' || fault.name === 'power') life.kill('SIGKILL');
      over = true;
    })();
    await Promise.all([this.#unlessFailed(life, happened, () => working), watching]);
  }

  async #judge(
    life: Life,
    fault: Fault,
    what: string | undefined,
    files: FaultFiles,
    wasReady: boolean,
  ): Promise<void> {
    if (fault.name === 'kill' || fault.name === 'power') {
      const { code, stderr } = await life.ended;
      must(code === null, () => `it ended by itself with ${code}: ${stderr}`);
      return must(errorsIn(stderr, this.#mayBeCutOff).length === 0, () => `errors before the failure: ${stderr}`);
    }
    if (what === undefined) return;
    // It may have come when the work was over.
    if (fault.operations[0] !== 'read') await untilTold(life);
    if (life.hasEnded()) {
      const { code, stderr } = await life.ended;
      // An orderly stop that has met the failure may end in order: the next start shows whether all is there.
      if (code === 0) return;
      return must(
        code === 1 && namesFile(stderr, this.#folder, wasReady),
        () => `after ${what} it ended with ${code}: ${stderr}`,
      );
    }
    const isKnown = isTold(life) || (await isDegraded(life, this.#options.prepared));
    // SQLite does without some operations: then all goes on as before.
    if (!isKnown && isDispensable(fault, what)) return this.#check(life);
    must(isKnown, () => `nobody was told of ${what}`);
    if (fault.name !== 'full') return;
    if (fault.end === 'stop') await this.#stop(life);
    if (fault.end !== 'room') return;
    setWell(files, true);
    const works = async () => {
      const { owner } = this.#options.prepared;
      const message = { ...(this.acknowledged.messages[0] ?? {}), ref: 't0', kind: 'team' };
      const answers = await Promise.all([
        sendMessages(life.url, [
          {
            ...message,
            source: 'test',
            at: '2025-01-01T00:00:00Z',
            sport: 'nfl',
            league: 'nfl',
            name: 'Team 0',
            abbreviation: 'T0',
          },
        ]),
        ask(`${life.url}/v1/sports`, owner.keys[0]!),
      ]);
      return answers.every(({ status }) => status === 200) && !(await isDegraded(life, this.#options.prepared));
    };
    const until = Date.now() + patientTimeout(20_000);
    while (!(await works())) {
      must(Date.now() < until, () => `there is room again after ${what}, and it does not go on: ${life.stderr()}`);
      await delay(50);
    }
    await this.#stop(life);
  }

  async #stop(life: Life): Promise<void> {
    life.kill('SIGTERM');
    const { code, stderr } = await life.ended;
    must(code === 0 || (code === 1 && stderr.trim() !== ''), () => `it stopped with ${code}: ${stderr}`);
  }

  async #lastLife(life: Life): Promise<void> {
    must(await life.ready, () => `the last start: ${life.stderr()}`);
    await this.#check(life);
    await this.#subscription.expectAllCame(life.stderr);
    life.kill('SIGTERM');
    const { code, stderr } = await life.ended;
    must(code === 0, () => `the last stop: ${code} ${stderr}`);
    must(errorsIn(stderr, this.#mayBeCutOff).length === 0, () => `errors without a failure: ${stderr}`);
    expectWholeDatabase(this.#folder);
  }
}
