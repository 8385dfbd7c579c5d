import { createPoller } from '../async/poller.ts';
import type { SetTimer } from '../async/timer.ts';
import { withTimeout } from '../async/timer.ts';
import type { Mail, Mailer, MailQueue, Outbox, QueuedMail } from './mail.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Milliseconds after each failure; after the last of them there is one attempt more. */
const RETRY_DELAYS: readonly number[] = [10 * SECOND, MINUTE, 10 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE];
/** The answer to whoever has asked for the mail goes first. */
const SOON = 50;
/** How long handing over may take, and then, with time to note it, how long a claim holds. */
const SENT_WITHIN = MINUTE;
const CLAIMED_FOR = 2 * MINUTE;
const MAX_CONCURRENT = 4;
/** Another process may have left some behind. */
const IDLE_POLL = 30 * SECOND;
/** Another process's clock may say otherwise what is due: no look follows the last at once. */
const SHORTEST_PAUSE = SECOND;
/** How long an end waits for mails that are being handed over. */
const CLOSED_WITHIN = 5 * SECOND;

/** Hides what is kept. `SecretBox` of `calls/` is one. */
interface SecretSealer {
  seal(secret: string, place: string): string;
  open(sealed: string, place: string): string;
}

interface OutboxParts {
  readonly queue: MailQueue;
  /** Absent: there is no way to send, and the mails wait for a process that has one. */
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
  /** From now on mails are sent, those that were left behind first. */
  start(): void;
  /** What has not left then leaves after the next start. */
  close(): Promise<void>;
}

export function createOutbox({ queue, mailer, box, now, setTimer, randomBytes, log }: OutboxParts): RunningOutbox {
  const underWay = new Set<Promise<void>>();
  const newId = () => Buffer.from(randomBytes(16)).toString('base64url');
  const poller = createPoller({ pollOnce: lookOnce, now, setTimer });
  let isStarted = false;

  async function lookOnce(): Promise<number> {
    const free = MAX_CONCURRENT - underWay.size;
    // Whoever ends wakes the poller.
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
      mail = JSON.parse(box.open(sealed, placeOf(id))) as Mail;
      await withTimeout(setTimer, SENT_WITHIN, by.send(mail, id), () => new Error('it took longer than a minute'));
    } catch (error) {
      const wait = RETRY_DELAYS[failures];
      const told = { subject: mail?.subject, reason: describeFailure(error), failures: failures + 1 };
      if (wait === undefined) {
        await queue.drop(id);
        log.error(told, 'a mail could not be sent, and is given up');
      } else {
        await queue.postpone(id, claim, now() + wait);
        log.warn({ ...told, again_in_seconds: wait / SECOND }, 'a mail could not be sent; it is tried again');
      }
      return;
    }
    await queue.drop(id);
  }

  return {
    async add({ to, subject, text }) {
      if (LINE_BREAK.test(to)) throw new RangeError('an address of a mail holds a control character');
      const id = newId();
      const mail: Mail = { to, subject: subject.replaceAll(LINE_BREAKS, ' '), text };
      await queue.add({ id, sealed: box.seal(JSON.stringify(mail), placeOf(id)) }, now());
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

/** Whatever a header could be broken with. */
const LINE_BREAK = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

const placeOf = (id: string): string => `mail ${id}`;

/** What servers answer names the address, which stands in no log. */
function describeFailure(error: unknown): string {
  const { code, responseCode, message } = error as Error & { readonly code?: unknown; readonly responseCode?: unknown };
  if (typeof code !== 'string') return message;
  return typeof responseCode === 'number' ? `${code} (${responseCode})` : code;
}
