import type { Question } from '../importing/connector.ts';

/** What became of an asking. `again`: it may help to repeat it soon. */
export type AskedEnd = 'success' | 'again' | 'failed';

interface Asked {
  /** Milliseconds of the steady clock. */
  at: number;
  /** What this wait's interval is multiplied with. */
  factor: number;
  /** Of this round. */
  failures: number;
  retryAt: number | undefined;
  isDone: boolean;
  isUnderWay: boolean;
}

/** Seconds after which what failed is repeated; then it waits for its next interval. */
const RETRY_SECONDS = [1, 2, 4];
/** Seconds after which a question that is to succeed once is asked again where all of these have failed. */
const ONCE_AGAIN_SECONDS = 600;

export interface AskingsOptions {
  /** Every wait is divided by it. */
  readonly pace: number;
  /** From 0 to 1, without 1. */
  readonly random: () => number;
}

/** When each question of a provider is due. All times are milliseconds of one clock, which is handed in. */
export interface Askings {
  /** When it is to be asked next: `-Infinity` where it never was, `Infinity` while it is under way or never again. */
  dueAt(question: Question): number;
  begin(question: Question, now: number): void;
  end(question: Question, now: number, end: AskedEnd): void;
  /** It was not sent after all: it is as due as it was. */
  takeBack(question: Question): void;
  /** Forgets what is asked no more. */
  keepOnly(questions: readonly Question[]): void;
}

export function createAskings({ pace, random }: AskingsOptions): Askings {
  const asked = new Map<string, Asked>();
  /** When a question of a line was last asked, by its name. */
  const lines = new Map<string, number>();
  const before = new Map<string, { readonly asked: Asked | undefined; readonly line: number | undefined }>();

  const waitOf = ({ every }: Question, { factor }: Asked): number =>
    ((every === 'once' ? ONCE_AGAIN_SECONDS : every) * 1000 * factor) / pace;

  function ownDueAt(question: Question): number {
    const last = asked.get(question.key);
    if (!last) return Number.NEGATIVE_INFINITY;
    if (last.isUnderWay || (last.isDone && question.every === 'once')) return Number.POSITIVE_INFINITY;
    return last.retryAt ?? last.at + waitOf(question, last);
  }

  return {
    dueAt(question) {
      const due = ownDueAt(question);
      const { line } = question;
      const last = line && lines.get(line.name);
      return last === undefined ? due : Math.max(due, last + (line!.apart * 1000) / pace);
    },
    begin(question, now) {
      const { key, line } = question;
      const last = asked.get(key);
      before.set(key, { asked: last, line: line && lines.get(line.name) });
      const factor = 0.9 + 0.2 * random();
      asked.set(key, {
        ...{ at: now, factor, retryAt: undefined, isUnderWay: true },
        failures: last?.failures ?? 0,
        isDone: last?.isDone ?? false,
      });
      if (line) lines.set(line.name, now);
    },
    end(question, now, end) {
      before.delete(question.key);
      const last = asked.get(question.key);
      if (!last) return;
      last.isUnderWay = false;
      if (end === 'again' && last.failures < RETRY_SECONDS.length) {
        last.retryAt = now + (RETRY_SECONDS[last.failures]! * 1000) / pace;
        last.failures++;
        return;
      }
      last.failures = 0;
      last.isDone ||= end === 'success';
      // A round that was overtaken is left out.
      const wait = waitOf(question, last);
      if (wait > 0 && now > last.at + wait) last.at += Math.floor((now - last.at) / wait) * wait;
    },
    takeBack({ key, line }) {
      const was = before.get(key);
      before.delete(key);
      if (was?.asked) asked.set(key, was.asked);
      else asked.delete(key);
      if (!line) return;
      if (was?.line === undefined) lines.delete(line.name);
      else lines.set(line.name, was.line);
    },
    keepOnly(questions) {
      const keys = new Set(questions.map(({ key }) => key));
      for (const [key, { isUnderWay }] of asked) if (!isUnderWay && !keys.has(key)) asked.delete(key);
      const names = new Set(questions.flatMap(({ line }) => (line ? [line.name] : [])));
      for (const name of lines.keys()) if (!names.has(name)) lines.delete(name);
    },
  };
}
