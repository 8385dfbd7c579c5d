import { describe, expect, it } from 'vitest';
import { defineUpcasters, UnknownEventVersion, upcastRecord } from '../../../src/domain/event-sourcing/upcast.ts';

const upcasters = defineUpcasters({
  ScoreChanged: {
    current: 3,
    steps: {
      1: ({ score }) => ({ home: score[0], away: score[1] }),
      2: (data) => ({ ...data, period: null }),
    },
  },
  Noted: { current: 1, steps: {} },
});
const record = (type: string, version: number, data: unknown = {}) => ({
  position: 17n,
  stream: 'score-4',
  revision: 2,
  type,
  version,
  data,
  meta: { partition: 'event-4' },
  recordedAt: '2025-03-01T12:00:00.000Z',
});

describe('upcastRecord', () => {
  it('takes every step from the version of the record to the current one', () => {
    const old = record('ScoreChanged', 1, { score: [3, 2] });
    const upcast = { ...old, version: 3, data: { home: 3, away: 2, period: null } };
    expect(upcastRecord(old, upcasters)).toEqual(upcast);
    expect(upcastRecord(record('ScoreChanged', 2, { home: 3, away: 2 }), upcasters)).toEqual(upcast);
    expect(old).toEqual(record('ScoreChanged', 1, { score: [3, 2] }));
  });

  it('leaves a current record as it is', () => {
    const current = record('ScoreChanged', 3, { home: 1 });
    expect(upcastRecord(current, upcasters)).toBe(current);
  });

  it('stops at a newer version, and says what to do', () => {
    const read = () => upcastRecord(record('ScoreChanged', 4), upcasters);
    expect(read).toThrow(UnknownEventVersion);
    expect(read).toThrow(/Record 17 of stream score-4 is ScoreChanged version 4.*1 to 3.*update this server/);
  });

  it.each([['Unheard'], ['constructor'], ['__proto__']])('stops at the unknown type %s', (type) => {
    expect(() => upcastRecord(record(type, 1), upcasters)).toThrow(UnknownEventVersion);
  });

  it.each([[0], [-1], [1.5], [Number.NaN]])('stops at version %d', (version) => {
    expect(() => upcastRecord(record('ScoreChanged', version), upcasters)).toThrow(UnknownEventVersion);
  });
});

describe('defineUpcasters', () => {
  const step = (data: unknown) => data;
  it('finds a missing step', () => {
    expect(() => defineUpcasters({ A: { current: 3, steps: { 1: step } } })).toThrow('version 2 to 3 is missing');
    expect(() => defineUpcasters({ A: { current: 3, steps: { 2: step } } })).toThrow('version 1 to 2 is missing');
  });
  it('finds a step too many and a version that is none', () => {
    expect(() => defineUpcasters({ A: { current: 2, steps: { 1: step, 2: step } } })).toThrow('step 2');
    expect(() => defineUpcasters({ A: { current: 0, steps: {} } })).toThrow('current version');
  });
});
