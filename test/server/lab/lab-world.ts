import { BOOKMAKERS, SHARP_BOOK_WEIGHTS } from '../../../src/domain/catalogue/catalogue.ts';
import { DAY } from '../../../src/domain/primitives/time.ts';
import { openScratchStore } from '../../../src/server/embedded/embedded-stores.ts';
import type { LabProgram } from '../../../src/server/lab/lab-program.ts';
import { openLab } from '../../../src/server/lab/open-lab.ts';
import { type LabOptions, type LabRun, runLab } from '../../../src/server/lab/run-lab.ts';
import { type Message, market, NFL, odds, schedule, score } from '../../api/spec/messages.ts';
import { composed } from '../../support/composed.ts';

export const NOW = Date.parse('2026-03-01T12:00:00Z');
export const DAY_OF_GAME = Date.parse('2026-01-10T00:00:00Z');
export const START = '2026-01-10T18:00:00Z';

/** A time on the day of the game. */
export const at = (time: string): string => `2026-01-10T${time}Z`;

/** A game of the Bears at the Lions at 18:00, that the Lions win by 27 to 20 unless told. */
export const game = (ref = 'g1', scores: readonly [string, string] = ['27', '20']): Message[] => [
  schedule(NFL, ref, [`Lions ${ref}`, `Bears ${ref}`], START, { at: '2026-01-05T00:00:00Z' }),
  score(ref, 'final', scores, { at: at('21:10:00') }),
];

/** A bookmaker's moneyline. */
export const moneyline = (time: string, book: string, home: number, away: number, ref = 'g1'): Message =>
  odds(
    ref,
    book,
    [
      market('h2h', [
        ['home', home],
        ['away', away],
      ]),
    ],
    { at: at(time) },
  );

/** A bookmaker's spread at -110 on both sides. */
export const spread = (time: string, book: string, point: number, ref = 'g1'): Message =>
  odds(
    ref,
    book,
    [
      market('spreads', [
        ['home', -110, point],
        ['away', -110, 0 - point],
      ]),
    ],
    { at: at(time) },
  );

/** What a program of a test does in its turn: lines without `next`. */
export type Strategy = (told: any, ask: (path: string) => Promise<any>) => Promise<unknown[]> | unknown[];

const DEFAULTS: LabOptions = {
  from: DAY_OF_GAME,
  to: DAY_OF_GAME + DAY - 1,
  league: undefined,
  books: undefined,
  latency: 2000,
  stakeLimit: undefined,
};

/**
 * A server in memory that has heard these messages in this order, and the lab on its log.
 * @param time when it heard them: milliseconds
 */
export async function labWorld(messages: readonly Message[], time = NOW) {
  const server = await composed({ time });
  await server.core.runner.start();
  const { outcomes } = await server.core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
  const refused = outcomes.find(({ status }) => status === 'rejected');
  if (refused) throw new Error(JSON.stringify(refused));
  await server.core.projected();
  const lab = (await openLab({
    ...server.environment,
    pace: { now: () => performance.now(), setTimer: server.environment.setTimer },
    ports: server.ports,
    config: { bookmakers: BOOKMAKERS, referenceWeights: SHARP_BOOK_WEIGHTS, learnsReferenceWeights: false },
    openScratch: openScratchStore,
    onFolding: () => {},
  }))!;
  return {
    lab,
    server,
    /** Plays the day of the game to a real program. */
    play: (program: LabProgram, options: Partial<LabOptions> = {}) => runLab(lab, program, { ...DEFAULTS, ...options }),
    /** Plays it to a function. @returns what came of it, and all that the program was told */
    async run(strategy: Strategy, options: Partial<LabOptions> = {}): Promise<LabRun & { readonly told: any[] }> {
      const { program, told } = programOf(strategy);
      return { ...(await runLab(lab, program, { ...DEFAULTS, ...options })), told };
    },
    async close() {
      await lab.close();
      await server.close();
    },
  };
}
export type LabWorld = Awaited<ReturnType<typeof labWorld>>;

/** A program without a process. */
function programOf(strategy: Strategy) {
  const told: any[] = [];
  const lines: string[] = [];
  let wake = () => {};
  let answered: ((line: any) => void) | undefined;
  const write = (line: unknown) => {
    lines.push(JSON.stringify(line));
    wake();
  };
  const ask = (path: string) =>
    new Promise<any>((resolve) => {
      answered = resolve;
      write({ ask: { path } });
    });
  const program: LabProgram = {
    send(text) {
      const line = JSON.parse(text);
      if (answered) {
        const resolve = answered;
        answered = undefined;
        resolve(line);
        return;
      }
      told.push(line);
      void Promise.resolve(strategy(line, ask)).then((said) => {
        for (const one of [...said, { next: true }]) write(one);
      });
    },
    async nextLine() {
      if (lines.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return lines.shift()!;
    },
    requireSilence() {},
    end: async () => {},
    kill() {},
  };
  return { program, told };
}

/** Bets once, when a change fits. */
export function once(fits: (change: any) => boolean, bet: (change: any) => object): Strategy {
  let isDone = false;
  return ({ change }) => {
    if (isDone || !fits(change)) return [];
    isDone = true;
    return [{ bet: bet(change) }];
  };
}
