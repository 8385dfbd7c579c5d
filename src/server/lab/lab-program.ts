import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { ProgramFault } from './program-lines.ts';

/** A program that plays a run: it gets lines, and writes lines. */
export interface LabProgram {
  /** Writes one line, without its end. */
  send(line: string): void;
  /** The next line that it writes. @throws ProgramFault if there is none */
  nextLine(): Promise<string>;
  /** Throws if it has written something that nobody asked for. @throws ProgramFault */
  requireSilence(): void;
  /** Ends its input and waits until it is gone; a program that stays is killed. @throws ProgramFault for its exit code */
  end(): Promise<void>;
  /** Kills it, if it still runs. */
  kill(): void;
}

export interface ProgramOptions {
  /** The program and its arguments: no shell reads them. */
  readonly command: readonly [string, ...string[]];
  /** The folder in which it runs. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds that it may be silent in its turn. */
  readonly silence: number;
  /** Milliseconds that it may take to end. */
  readonly ending: number;
}

/** Bytes of one line. */
const MAX_LINE = 65_536;
/** Bytes that were written and not read yet. */
const MAX_WAITING = 1_048_576;
/** Bytes that were written to it and that it has not read. */
const MAX_UNREAD = 16_777_216;
const NEWLINE = 10;

/** Starts the program. What it writes to standard error is passed through. */
export function startProgram({ command, folder, env, silence, ending }: ProgramOptions): LabProgram {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    shell: false,
  });
  const [input, output] = [child.stdin as Writable, child.stdout as Readable];
  const lines: string[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let fault: ProgramFault | undefined;
  let isGone = false;
  let code: string | undefined;
  let waiting: (() => void) | undefined;
  const wake = () => {
    waiting?.();
    waiting = undefined;
  };
  const fail = (message: string) => {
    fault ??= new ProgramFault(message);
    wake();
  };

  const silenceTimer = setTimeout(() => {
    if (waiting) fail(`the program was silent for ${silence / 1000} s in its turn`);
  }, silence);

  child.once('error', (error: NodeJS.ErrnoException) => {
    isGone = true;
    const reason = error.code === 'ENOENT' ? 'there is no such program' : error.message;
    fail(`the program ${program} cannot be started: ${reason}`);
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', (exit, signal) => {
      isGone = true;
      code = signal ? `by ${signal}` : `with exit code ${exit}`;
      resolve();
      wake();
    });
    child.once('error', () => resolve());
  });
  // The program is gone, or reads nothing any more: its end says so.
  input.on('error', () => {});
  output.on('data', (chunk: Buffer) => {
    if (fault) return;
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      if (end > MAX_LINE) return flood();
      const line = rest.toString('utf8', 0, end);
      rest = rest.subarray(end + 1);
      if (line.trim() !== '') lines.push(line);
    }
    if (rest.length > MAX_LINE || output.readableLength > MAX_WAITING) return flood();
    if (lines.length > MAX_LINES) return fail(`the program wrote more than ${MAX_LINES} lines ahead of their turn`);
    if (lines.length > 0) wake();
  });
  const requireSilence = (): void => {
    if (lines.length > 0) throw new ProgramFault(`the program wrote a line after {"next": true}: its turn was over`);
  };
  const flood = () => fail(`the program wrote a line of more than ${MAX_LINE} bytes`);

  return {
    send(line) {
      if (isGone) return;
      input.write(`${line}\n`);
      if (input.writableLength > MAX_UNREAD) fail('the program asks, and does not read its answers');
    },
    async nextLine() {
      if (lines.length === 0 && !fault && !isGone) {
        // There is a turn for each change: it takes no timer of its own.
        silenceTimer.refresh();
        await new Promise<void>((resolve) => {
          waiting = resolve;
        });
      }
      if (fault) throw fault;
      const line = lines.shift();
      if (line === undefined) throw new ProgramFault(`the program ended ${code} before the run did`);
      return line;
    },
    requireSilence,
    async end() {
      clearTimeout(silenceTimer);
      input.end();
      const timer = setTimeout(() => killWithPipes(child), ending);
      let isKilled = false;
      child.once('exit', (_, signal) => {
        isKilled = signal === 'SIGKILL';
      });
      await closed;
      clearTimeout(timer);
      if (fault) throw fault;
      // A line that came too late for its turn was taken for one of the next: so one is left over.
      requireSilence();
      if (!isKilled && code !== 'with exit code 0') throw new ProgramFault(`the program ended ${code}`);
    },
    kill() {
      clearTimeout(silenceTimer);
      killWithPipes(child);
    },
  };
}

/** Lines of one turn that wait to be read. */
const MAX_LINES = 10_000;

/** Another process may have inherited its pipes, which must not keep this one waiting. */
function killWithPipes(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  child.stdin?.destroy();
  child.stdout?.destroy();
}
