import { expect, it } from 'vitest';
import type { TrackRecordStore } from '../../../src/forecasting/track-record/track-record-service.ts';

/** What every adapter of `TrackRecordStore` must do. `open` gives a new, empty store, opened by two processes. */
export function trackRecordStoreContract(
  name: string,
  open: () => Promise<readonly [TrackRecordStore, TrackRecordStore]>,
): void {
  it(`track record store: ${name}: every process reads the last count`, async () => {
    const [one, other] = await open();
    expect(await one.read()).toBeUndefined();
    await one.write({ basis: 'a', counted: '{"until":1}' });
    expect(await other.read()).toEqual({ basis: 'a', counted: '{"until":1}' });
    const large = { basis: 'b', counted: JSON.stringify({ text: 'é'.repeat(100_000) }) };
    await other.write(large);
    expect(await one.read()).toEqual(large);
    await Promise.all([one.write({ basis: 'c', counted: '1' }), other.write({ basis: 'c', counted: '2' })]);
    expect(await one.read()).toEqual(await other.read());
    expect((await one.read())!.basis).toBe('c');
  });
}
