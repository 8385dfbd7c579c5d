import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { withCallsUnderWay } from '../../../src/ingest/intake/calls-under-way.ts';
import type { IntakeResult } from '../../../src/ingest/intake/intake.ts';

const RESULT: IntakeResult = { outcomes: [], positions: new Map() };

function given() {
  const calls: { readonly resolve: (result: IntakeResult) => void; readonly reject: (error: unknown) => void }[] = [];
  const { intake, ended } = withCallsUnderWay({
    accept: () => new Promise((resolve, reject) => void calls.push({ resolve, reject })),
  });
  const isOver = async (waited: Promise<unknown>) => {
    let over = false;
    void waited.then(() => {
      over = true;
    });
    await setImmediate();
    return over;
  };
  return { intake, ended, calls, isOver };
}

describe('the calls of an intake that are under way', () => {
  it('have ended when each has its result, and those that came later are not waited for', async () => {
    const { intake, ended, calls, isOver } = given();
    const first = intake.accept([]);
    const second = intake.accept([]);
    const waited = ended();
    void intake.accept([]);
    calls[0]!.resolve(RESULT);
    expect(await first).toBe(RESULT);
    expect(await isOver(waited)).toBe(false);
    calls[1]!.resolve(RESULT);
    await second;
    expect(await isOver(waited)).toBe(true);
  });

  it('have ended when one failed, which its caller is told', async () => {
    const { intake, ended, calls, isOver } = given();
    const failing = intake.accept([]);
    const waited = ended();
    calls[0]!.reject(new Error('no room'));
    await expect(failing).rejects.toThrow('no room');
    expect(await isOver(waited)).toBe(true);
  });

  it('have ended at once when there are none', async () => {
    const { ended, isOver } = given();
    expect(await isOver(ended())).toBe(true);
  });
});
