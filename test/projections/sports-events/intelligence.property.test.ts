import fc from 'fast-check';
import { expect, it } from 'vitest';
import { events } from '../../../projections/sports-events/events.ts';
import { type IntelligenceDocument, intelligence } from '../../../projections/sports-events/intelligence.ts';
import { type Message, NFL, schedule, score } from '../../api/spec/messages.ts';
import { cases } from '../../support/cases.ts';
import { composed } from '../../support/composed.ts';

const at = (minute: number) => new Date(Date.parse('2026-03-01T10:00:00Z') + minute * 60_000).toISOString();
const source = fc.constantFrom('feed', 'other');
const anyMessage = fc.oneof(
  fc
    .record({ source, start: fc.nat(3), status: fc.constantFrom(undefined, 'scheduled', 'delayed', 'postponed') })
    .map(({ source, start, status }) => (minute: number): Message => {
      const more = { source, at: at(minute), season: { year: 2024 + start, phase: 'regular_season' } };
      return schedule(NFL, 'g1', ['Here', 'There'], at(600 + 60 * start), status ? { ...more, status } : more);
    }),
  fc.record({ source, status: fc.constantFrom('inprogress', 'suspended', 'final', 'cancelled', 'scheduled') }).map(
    ({ source, status }) =>
      (minute: number): Message =>
        score('g1', status, null, { source, at: at(minute) }),
  ),
);

it('given records in any order, then list filters match the read model of events', async () => {
  const told = fc.array(fc.record({ message: anyMessage, minute: fc.nat(30) }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(told, async (some) => {
      const server = await composed({ time: Date.parse('2026-03-01T12:00:00Z') });
      try {
        const { core, ports } = server;
        await core.runner.start();
        const first = ['feed', 'other'].map((source) =>
          schedule(NFL, 'g1', ['Here', 'There'], at(600), { source, at: at(0) }),
        );
        for (const message of [...first, ...some.map(({ message, minute }) => message(minute))]) {
          await core.intake.accept([{ line: 1, value: message }]);
        }
        await core.projected();
        const [event] = await ports.store.find<any>(events.name, { limit: 2 });
        const [slim, ...others] = await ports.store.find<IntelligenceDocument>(intelligence.name, { limit: 2 });
        expect(others).toEqual([]);
        for (const field of ['sport', 'league', 'status', 'season_id', 'starts_at', 'team_ids']) {
          const [found, expected] = [
            intelligence.fields[field]!.of(slim!.document),
            events.fields[field]!.of(event!.document),
          ];
          expect([field, found]).toEqual([field, expected]);
        }
      } finally {
        await server.close();
      }
    }),
    { numRuns: cases(25, 25) },
  );
}, 120_000);
