import { beforeEach, describe, expect, it } from 'vitest';
import { createSecretBox } from '../../../src/api/calls/secret-box.ts';
import type { Mail, Mailer } from '../../../src/platform/mail/mail.ts';
import { createOutbox } from '../../../src/platform/mail/outbox.ts';
import { createSqlMailQueue } from '../../../src/platform/mail/sql-mail-queue.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openRegistry, type RegistryDatabase } from '../../../src/server/composition/registry.ts';
import { createTimers, type Timers } from '../../api/streams/timers.ts';
import { countedBytes } from '../../support/composed.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const LINK = 'https://sports.example/reset-password?token=hidden-link';
const MAIL: Mail = { to: 'ann@a.example', subject: 'Set a new password', text: `Open ${LINK}\n` };

let timers: Timers;
let registry: RegistryDatabase;
let lines: { readonly level: string; readonly [field: string]: unknown }[];
beforeEach(async () => {
  timers = createTimers();
  registry = await openRegistry(openSqliteDatabase({ file: ':memory:', synchronous: 'normal' }));
  lines = [];
});

/** Sends and fails as told; remembers who was sent what, and when. */
function handWritten() {
  const sent: { readonly at: number; readonly id: string; readonly mail: Mail }[] = [];
  const state = { error: undefined as Error | undefined, hold: undefined as Promise<void> | undefined };
  const mailer: Mailer = {
    description: 'mail: to nobody',
    async send(mail, id) {
      sent.push({ at: timers.now(), id, mail });
      await state.hold;
      if (state.error) throw state.error;
    },
  };
  return { mailer, sent, state };
}

const line = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) =>
  void lines.push({ ...fields, level, message });
const log = { info: line('info'), warn: line('warn'), error: line('error') };

/** One process. */
const outboxOf = (mailer: Mailer | undefined) =>
  createOutbox({
    queue: createSqlMailQueue(registry),
    mailer,
    log,
    box: createSecretBox('pepper', countedBytes()),
    now: timers.now,
    setTimer: timers.setTimer,
    randomBytes: countedBytes(),
  });

/** What was begun comes to its end. */
const settle = async () => {
  for (let turn = 0; turn < 12; turn++) await new Promise((resolve) => setImmediate(resolve));
};
async function pass(milliseconds: number): Promise<void> {
  // In steps: what a step brings sets timers for the next.
  for (let step = 0; step < 5; step++) {
    timers.advance(milliseconds / 5);
    await settle();
  }
}
const rows = () => registry.selectFrom('mails').selectAll().execute();

describe('the outbox', () => {
  it('sends a mail once, within a second, and deletes it', async () => {
    const { mailer, sent } = handWritten();
    const outbox = outboxOf(mailer);
    outbox.start();
    await settle();
    await outbox.add(MAIL);
    expect(sent).toEqual([]);
    await pass(SECOND);
    expect(sent.map(({ mail }) => mail)).toEqual([MAIL]);
    expect(await rows()).toEqual([]);
    for (let minute = 0; minute < 10; minute++) await pass(MINUTE);
    expect(sent).toHaveLength(1);
  });

  it('stores neither address nor link in plain text', async () => {
    await outboxOf(undefined).add(MAIL);
    const kept = JSON.stringify(await rows());
    for (const hidden of ['ann', 'hidden-link', 'password']) expect(kept).not.toContain(hidden);
  });

  it('loses no mail to a crash between adding and sending', async () => {
    await outboxOf(handWritten().mailer).add(MAIL);
    const { mailer, sent } = handWritten();
    outboxOf(mailer).start();
    await settle();
    expect(sent.map(({ mail }) => mail)).toEqual([MAIL]);
  });

  it('sends the mail of an ended process, as the same mail, when its claim has expired', async () => {
    const ended = handWritten();
    ended.state.hold = new Promise(() => {});
    const first = outboxOf(ended.mailer);
    await first.add(MAIL);
    first.start();
    await settle();
    void first.close();
    const { mailer, sent } = handWritten();
    outboxOf(mailer).start();
    await settle();
    expect(sent).toEqual([]);
    for (let step = 0; step < 6; step++) await pass(30 * SECOND);
    expect(sent).toMatchObject([{ id: ended.sent[0]!.id, mail: MAIL }]);
  });

  it('tries again 10 s, 1 min, 10 min, 1 h and 6 h after a failure, then gives up and says so without the link', async () => {
    const { mailer, sent, state } = handWritten();
    state.error = Object.assign(new Error(`550 no mailbox of ann@a.example for ${LINK}`), {
      code: 'EENVELOPE',
      responseCode: 550,
    });
    const outbox = outboxOf(mailer);
    outbox.start();
    await outbox.add(MAIL);
    for (let step = 0; step < 2 * 8 * 3600; step++) {
      timers.advance(500);
      if (timers.now() % (10 * SECOND) < 1500 || sent.length < 3) await settle();
      if (lines.some(({ level }) => level === 'error')) break;
    }
    const at = sent.map((one) => one.at);
    const waits = at.slice(1).map((time, index) => Math.round((time - at[index]!) / SECOND));
    expect(waits).toHaveLength(5);
    for (const [index, wanted] of [10, 60, 600, 3600, 21_600].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(wanted);
      expect(waits[index]).toBeLessThanOrEqual(wanted + 12);
    }
    expect(await rows()).toEqual([]);
    expect(lines.at(-1)).toMatchObject({ level: 'error', subject: MAIL.subject, reason: 'EENVELOPE (550)' });
    expect(JSON.stringify(lines)).not.toMatch(/hidden-link|ann@/);
  });

  it('of two processes only one sends each mail', async () => {
    const [here, there] = [handWritten(), handWritten()];
    const outboxes = [outboxOf(here.mailer), outboxOf(there.mailer)];
    for (const outbox of outboxes) outbox.start();
    for (let mail = 0; mail < 20; mail++) await outboxes[mail % 2]!.add({ ...MAIL, subject: `Mail ${mail}` });
    for (let step = 0; step < 40; step++) await pass(SECOND);
    const subjects = [...here.sent, ...there.sent].map(({ mail }) => mail.subject);
    expect(new Set(subjects).size).toBe(20);
    expect(subjects).toHaveLength(20);
    expect(await rows()).toEqual([]);
  });

  it('does not delay other mails behind one that hangs, and retries that one', async () => {
    const { mailer, sent, state } = handWritten();
    state.hold = new Promise(() => {});
    const outbox = outboxOf(mailer);
    outbox.start();
    await outbox.add({ ...MAIL, subject: 'Hangs' });
    await pass(SECOND);
    state.hold = undefined;
    await outbox.add({ ...MAIL, subject: 'Goes' });
    await pass(SECOND);
    expect(sent.map(({ mail }) => mail.subject)).toEqual(['Hangs', 'Goes']);
    for (let step = 0; step < 90; step++) await pass(SECOND);
    expect(sent.map(({ mail }) => mail.subject)).toEqual(['Hangs', 'Goes', 'Hangs']);
  });

  it('allows no header injection through an address or a subject', async () => {
    const { mailer, sent } = handWritten();
    const outbox = outboxOf(mailer);
    outbox.start();
    await expect(outbox.add({ ...MAIL, to: 'ann@a.example\r\nBcc: b@b.example' })).rejects.toThrow(RangeError);
    await outbox.add({ ...MAIL, subject: 'Hello\r\nBcc: b@b.example' });
    await pass(SECOND);
    expect(sent.map(({ mail }) => mail.subject)).toEqual(['Hello Bcc: b@b.example']);
  });

  it('without a mailer keeps all mails for a process that has one', async () => {
    const outbox = outboxOf(undefined);
    outbox.start();
    await outbox.add(MAIL);
    await pass(MINUTE);
    expect(await rows()).toHaveLength(1);
  });
});
