import { tmpdir } from 'node:os';
import { type ProgramOptions, startProgram } from '../../../src/server/lab/lab-program.ts';

/** What a program in JavaScript begins with: `next` reads a line, `say` writes one. */
const PRELUDE = `
import { createInterface } from 'node:readline';
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async () => { const { value, done } = await lines.next(); return done ? undefined : JSON.parse(value); };
const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
const ask = async (path) => { say({ ask: { path } }); return next(); };
`;

/** Starts a program of this source. */
export const startSource = (source: string, options: Partial<ProgramOptions> = {}) =>
  startProgram({
    command: [process.execPath, '--input-type=module', '-e', `${PRELUDE}${source}`],
    folder: tmpdir(),
    env: { PATH: process.env['PATH'] },
    silence: 30_000,
    ending: 10_000,
    ...options,
  });

/** A program that does something at each change. */
export const atEachChange = (body: string): string =>
  `for (let line = await next(); line; line = await next()) { const { now, change, bets } = line; ${body}; say({ next: true }); }`;
