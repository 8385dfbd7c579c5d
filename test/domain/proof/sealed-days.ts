import { createHash } from 'node:crypto';
import { createSlipGraded, receiptStream } from '../../../src/domain/accounts/receipt-events.ts';
import { createEvent } from '../../../src/domain/event-sourcing/stream-kind.ts';
import { closingStream, createClosingRecorded } from '../../../src/domain/proof/closing-events.ts';
import type { Seal } from '../../../src/domain/proof/seal.ts';
import { type SealFile, sealFileText } from '../../../src/domain/proof/seal-file.ts';
import { intelligenceStream } from '../../../src/domain/streams/stream-definitions.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../src/event-log/storage/memory-log.ts';
import { createDaySealer } from '../../../src/forecasting/sealing/day-sealer.ts';
import { leavesOfDay } from '../../../src/read-models/seals/walk-days.ts';

export const DAY_1 = Date.parse('2026-03-01T00:00:00Z');
const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A salt that a test can foresee. */
const saltOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 32);

/** A log whose clock the test sets, with facts that are sealed. */
export function sealedLog() {
  const clock = { now: DAY_1 };
  const log = createMemoryLog({ now: () => clock.now });
  const revisions = new Map<string, number>();
  let facts = 0;

  async function append(stream: string, event: Parameters<EventLog['append']>[1][number]): Promise<void> {
    const { revision } = await log.append(stream, [event], revisions.get(stream) ?? 'none');
    revisions.set(stream, revision);
  }

  return {
    clock,
    log,
    /** @param probability the published number */
    publish(eventId: number, probability: number, { isSealed = true, isSelected = false } = {}) {
      const name = `forecast ${facts++}`;
      const selection = {
        bet_type: 'ML_P1',
        line: null,
        probability,
        fair_probability: 0.5,
        best: { book: 'a', price: 110 },
        salt: saltOf(`${name} selection`),
      };
      return append(
        `intelligence-${eventId}`,
        createEvent(intelligenceStream, eventId, 'IntelligencePublished', {
          eventId,
          sport: 'nfl',
          league: 'nfl',
          at: new Date(clock.now).toISOString(),
          source: 'ledgerline',
          model_version: 'nfl-1.0',
          has_recommend: null,
          bets: [{ bet_type: 'ML_P1', probability, fair: { probability: 0.5, books: ['a'] }, market: { line: null } }],
          grounds: { through: '0', facts: [] },
          ...(isSealed && { salt: saltOf(name) }),
          ...(isSelected && { selections: [selection] }),
        }),
      );
    },
    close: (eventId: number, price: number) =>
      append(
        closingStream(eventId),
        createClosingRecorded({
          eventId,
          sport: 'nfl',
          league: 'nfl',
          closesAt: new Date(clock.now).toISOString(),
          at: new Date(clock.now).toISOString(),
          consensus: [{ market: 'h2h', line: null, probabilities: { home: 0.5125, away: 0.4875 } }],
          prices: [{ bookmaker: 'a', market: 'h2h', outcome: 'home', price, point: null, at: '2026-03-01T00:00:00Z' }],
          salt: saltOf(`closing ${facts++}`),
        }),
      ),
    grade(leaf: string) {
      const receiptId = `gr_${String(facts++).padStart(22, '0')}`;
      const slip = {
        receiptId,
        accountId: 1,
        at: '2026-03-01T00:00:00Z',
        sports: [],
        request: {},
        result: {},
        legs: [],
      };
      return append(receiptStream(receiptId), createSlipGraded({ ...slip, leaf }));
    },
    seal: () => createDaySealer(log).sealDue(clock.now, new AbortController().signal),
  };
}

export type SealedLog = ReturnType<typeof sealedLog>;

/** Three days: the second without a leaf. The clock stands on the fourth. */
export async function threeDays(given: SealedLog = sealedLog()): Promise<SealedLog> {
  const { clock } = given;
  clock.now = DAY_1 + HOUR;
  await given.publish(1, 0.6125, { isSelected: true });
  await given.grade(createHash('sha256').update('a receipt').digest('hex'));
  await given.publish(2, 0.25);
  clock.now = DAY_1 + 2 * DAY + HOUR;
  await given.publish(1, 0.625);
  await given.close(1, -110);
  await given.publish(3, 0.75);
  clock.now = DAY_1 + 3 * DAY + HOUR;
  await given.publish(3, 0.5);
  return given;
}

/** The files of all sealed days, as they are served. */
export async function filesOf(log: EventLog, seals: readonly Seal[]): Promise<SealFile[]> {
  const files: SealFile[] = [];
  for (const [index, seal] of seals.entries()) {
    let text = '';
    for await (const piece of sealFileText(seal, leavesOfDay(log, seal, seals[index - 1] ?? null))) text += piece;
    files.push(JSON.parse(text) as SealFile);
  }
  return files;
}
