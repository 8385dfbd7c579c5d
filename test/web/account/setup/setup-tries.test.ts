import { describe, expect, it } from 'vitest';
import { createSetupTries } from '../../../../src/web/account/setup/setup-tries.ts';

const MINUTE = 60_000;

describe('wrong setup codes', () => {
  it('are five in a quarter of an hour from one address', () => {
    let time = 0;
    const tries = createSetupTries(() => time);
    for (let wrong = 0; wrong < 5; wrong++) {
      tries.assertMore('192.0.2.1');
      tries.countWrong('192.0.2.1');
    }

    expect(() => tries.assertMore('192.0.2.1')).toThrow('Too many wrong codes');
    expect(() => tries.assertMore('192.0.2.2')).not.toThrow();
    time += 15 * MINUTE;
    expect(() => tries.assertMore('192.0.2.1')).not.toThrow();
  });

  it('have a limit of all addresses too, so that no memory grows with them', () => {
    const tries = createSetupTries(() => 0);
    for (let wrong = 0; wrong < 1000; wrong++) tries.countWrong(`10.0.${wrong >> 8}.${wrong & 255}`);

    expect(() => tries.assertMore('192.0.2.1')).toThrow('Too many wrong codes');
  });
});
