import { createPoller } from '../async/poller.ts';
import { type SetTimer, withTimeout } from '../async/timer.ts';
import type { Mail, Mailer, MailQueue, Outbox, QueuedMail } from './mail.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Milliseconds after each failure. After the last delay there is one more attempt. */
const RETRY_DELAYS: readonly number[] = [10 * SECOND, MINUTE, 10 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE];
/** Send after the answer to the request that caused the mail. */
const SOON = 50;
/** How long sending may take, and how long a claim holds: long enough to store the result too. */
const SENT_WITHIN = MINUTE;
const CLAIMED_FOR = 2 * MINUTE;
const MAX_CONCURRENT = 4;
/** Poll for mails that another process has left. */
const IDLE_POLL = 30 * SECOND;
/** Another process's clock may differ about what is due, so never poll again at once. */
const SHORTEST_PAUSE = SECOND;
/** How long `close` waits for mails that are being sent. */
const CLOSED_WITHIN = 5 * SECOND;

/** Encrypts the stored mails. */
interface SecretSealer {
  seal(secret: string, context: string): string;
  open(sealed: string, context: string): string;
}

interface OutboxParts {
  readonly queue: MailQueue;
  /** Absent: this process cannot send; the mails wait for a process that can. */
  readonly mailer: Mailer | undefined;
  readonly box: SecretSealer;
  /** Milliseconds. */
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly log: {
    info(fields: Readonly<Record<string, unknown>>, message: string): void;
    warn(fields: Readonly<Record<string, unknown>>, message: string): void;
    error(fields: Readonly<Record<string, unknown>>, message: string): void;
  };
}

export interface RunningOutbox extends Outbox {
  /** Starts sending, with the mails that were left first. */
  start(): void;
  /** Unsent mails are sent after the next start. */
  close(): Promise<void>;
}

export function createOutbox({ queue, mailer, box, now, setTimer, randomBytes, log }: OutboxParts): RunningOutbox {
  const underWay = new Set<Promise<void>>();
  const newId = () => Buffer.from(randomBytes(16)).toString('base64url');
  const poller = createPoller({ pollOnce, now, setTimer });
  let isStarted = false;

  async function pollOnce(): Promise<number> {
    const free = MAX_CONCURRENT - underWay.size;
    // A finished mail wakes the poller.
    if (free <= 0 || !mailer) return now() + IDLE_POLL;
    try {
      const claim = newId();
      const claimed = await queue.claim(claim, now(), CLAIMED_FOR, free);
      for (const mail of claimed) begin(mailer, mail, claim);
      const next = (await queue.nextDue()) ?? Number.POSITIVE_INFINITY;
      return Math.min(Math.max(next, now() + SHORTEST_PAUSE), now() + IDLE_POLL);
    } catch (error) {
      log.error({ err: error }, 'the outbox could not be read; it is tried again');
      return now() + RETRY_DELAYS[0]!;
    }
  }

  function begin(by: Mailer, mail: QueuedMail, claim: string): void {
    const sending = sendOne(by, mail, claim)
      .catch((error: unknown) => log.error({ err: error }, 'what became of a mail could not be noted'))
      .finally(() => {
        underWay.delete(sending);
        poller.soon();
      });
    underWay.add(sending);
  }

  async function sendOne(by: Mailer, { id, sealed, failures }: QueuedMail, claim: string): Promise<void> {
    let mail: Mail | undefined;
    try {
      mail = JSON.parse(box.open(sealed, sealContextOf(id))) as Mail;
      await withTimeout(setTimer, SENT_WITHIN, by.send(mail, id), () => new Error('it took longer than a minute'));
    } catch (error) {
      const wait = RETRY_DELAYS[failures];
      const fields = { subject: mail?.subject, reason: describeFailure(error), failures: failures + 1 };
      if (wait === undefined) {
        await queue.drop(id);
        log.error(fields, 'a mail could not be sent, and is given up');
      } else {
        await queue.postpone(id, claim, now() + wait);
        log.warn({ ...fields, again_in_seconds: wait / SECOND }, 'a mail could not be sent; it is tried again');
      }
      return;
    }
    await queue.drop(id);
  }

  return {
    async add(given, id = newId()) {
      if (LINE_BREAK.test(given.to)) throw new RangeError('an address of a mail holds a control character');
      const mail: Mail = { ...given, subject: given.subject.replaceAll(LINE_BREAKS, ' ') };
      await queue.add({ id, sealed: box.seal(JSON.stringify(mail), sealContextOf(id)) }, now());
      if (isStarted) setTimer(() => poller.soon(), SOON);
    },
    start() {
      isStarted = true;
      if (mailer) poller.soon();
    },
    async close() {
      isStarted = false;
      await poller.stop();
      const ended = Promise.all(underWay);
      await withTimeout(setTimer, CLOSED_WITHIN, ended, () => new Error('late')).catch(() => {});
    },
  };
}

/** Characters that could break a header. */
const LINE_BREAK = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

const sealContextOf = (id: string): string => `mail ${id}`;

/** The answer of a server may contain the address, which must not be logged. */
function describeFailure(error: unknown): string {
  const { code, responseCode, message } = error as Error & { readonly code?: unknown; readonly responseCode?: unknown };
  if (typeof code !== 'string') return message;
  return typeof responseCode === 'number' ? `${code} (${responseCode})` : code;
}
