import { formatTime, SECOND } from '../../domain/primitives/time.ts';
import { type BetDesk, createBetDesk, type DeskRules, type PlacedBet } from './bet-desk.ts';
import type { AnswerAsk } from './lab-asks.ts';
import type { LabProgram } from './lab-program.ts';
import { type LabResult, reportBets, showOutcome } from './lab-report.ts';
import type { OpenLab } from './open-lab.ts';
import { findPlayOrder, type PlayedWindow, readInOrder, startOf } from './play-order.ts';
import { createPlayedChanges } from './played-changes.ts';
import { createPlayedEvents, type PlayedEvents } from './played-events.ts';
import { ProgramFault, readProgramLine } from './program-lines.ts';
import { createSettler } from './settle-fills.ts';

/** Latencies at which every run shows its bets, in milliseconds. */
const SHOWN_LATENCIES = [0, 5, 60, 600].map((seconds) => seconds * SECOND);
/** Lines that a program may write in one turn. */
const MAX_LINES_PER_TURN = 10_000;

export interface LabOptions extends PlayedWindow, DeskRules {
  /** Called with the changes that were played, and with those of the records that are read before. */
  readonly onProgress?: (phase: 'read' | 'play', done: number, total?: number) => void;
}

/** What a run was and what came of it. */
export interface LabRun extends LabResult {
  readonly changes: number;
  readonly asks: number;
}

/**
 * Plays the log to a program. Nothing that it is told was observed later than the moment of the run.
 * @throws ProgramFault, RunTooLong
 */
export async function runLab(lab: OpenLab, program: LabProgram, options: LabOptions): Promise<LabRun> {
  const { from, to, league, latency, onProgress = () => {} } = options;
  const last = Math.max(latency, ...SHOWN_LATENCIES);
  // Bets of the last moments are filled at prices of after the end, which the program is not told.
  const order = await findPlayOrder(lab.log, { from, to: to + last, league }, (read) => onProgress('read', read));
  const played = createPlayedEvents(lab.log, order);
  const playRecord = createPlayedChanges({ log: lab.log, store: lab.context.store, played, league });
  const own = createBetDesk(played, options);
  const others = SHOWN_LATENCIES.map((shown) => createBetDesk(played, { ...options, latency: shown }));
  const turns = new Turns(program, lab.answer, (bet) => {
    for (const desk of [own, ...others]) desk.place(bet);
  });
  let done = 0;
  let moment = Number.NEGATIVE_INFINITY;
  for await (const { place, record } of readInOrder(lab.log, order)) {
    if (place.at > moment) {
      moment = place.at;
      turns.outcomes.push(...(await settleAll(played, moment, own, others)).map(showOutcome));
    }
    played.reach(place);
    for (const change of await playRecord(record)) if (place.at <= to) await turns.play(place.at, change);
    onProgress('play', ++done, order.length);
  }
  await settleAll(played, Number.POSITIVE_INFINITY, own, others);
  program.requireSilence();
  await program.end();
  const fills = [own, ...others].flatMap((desk) => desk.fills);
  const settle = await createSettler(fills, lab.context, lab.end);
  const { changes, asks, bets } = turns;
  return { changes, asks, ...reportBets(bets, own, others, settle) };
}

async function settleAll(played: PlayedEvents, moment: number, own: BetDesk, others: readonly BetDesk[]) {
  played.reach(startOf(moment));
  // At most moments nothing is due.
  for (const desk of others) if (desk.isDueBefore(moment)) await desk.settleBefore(moment);
  return own.isDueBefore(moment) ? own.settleBefore(moment) : [];
}

/** The turns of a program: a line of what has changed, then what it asks and bets. */
class Turns {
  changes = 0;
  asks = 0;
  bets = 0;
  /** What came of bets since the last turn. */
  readonly outcomes: ReturnType<typeof showOutcome>[] = [];
  readonly #program: LabProgram;
  readonly #answer: AnswerAsk;
  readonly #place: (bet: PlacedBet) => void;

  constructor(program: LabProgram, answer: AnswerAsk, place: (bet: PlacedBet) => void) {
    this.#program = program;
    this.#answer = answer;
    this.#place = place;
  }

  /** @param change as JSON */
  async play(now: number, change: string): Promise<void> {
    const told = this.outcomes.splice(0);
    const bets = told.length > 0 ? `,"bets":${JSON.stringify(told)}` : '';
    this.#program.requireSilence();
    this.#program.send(`{"now":"${formatTime(now)}","change":${change}${bets}}`);
    this.changes++;
    for (let count = 0; ; count++) {
      if (count === MAX_LINES_PER_TURN)
        throw new ProgramFault(`the program wrote more than ${MAX_LINES_PER_TURN} lines in one turn`);
      const line = readProgramLine(await this.#program.nextLine());
      if (line.kind === 'next') return;
      if (line.kind === 'ask') {
        this.asks++;
        this.#program.send(await this.#answer(line.path, now));
      } else this.#place({ bet: ++this.bets, asked: line.bet, placedAt: now });
    }
  }
}
