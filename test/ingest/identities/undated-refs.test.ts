import { expect, it } from 'vitest';
import { NFL, player, schedule, team } from '../../api/spec/messages.ts';
import { withServer } from '../../system/properties/small-server.ts';

const START = Date.parse('2026-03-01T12:00:00Z');
const minute = (n: number) => `2026-03-01T12:0${n}:00Z`;

// The registry of this server notes no times, as those of earlier versions.
it('given refs that were bound by an earlier version, then the log tells since when, where it does', async () => {
  await withServer({ time: START }, async (server) => {
    let time = 0;
    const tell = async (...messages: readonly Record<string, unknown>[]) => {
      server.clock.time = START + 60_000 * time++;
      await server.accept(messages);
    };
    const sides = [
      { name: 'Chiefs', ref: 'kc' },
      { name: 'Bills', ref: 'side-buf' },
    ] as const;
    const game = schedule(NFL, 'g1', [...sides], '2026-03-02T18:00:00Z', { refs: { espn: 'e1' } });
    await tell(team(NFL, 'kc', 'Chiefs', 'KC'));
    await tell(game);
    await tell({ ...game, at: '2026-03-01T11:30:00Z', refs: { espn: 'e1', fox: 'f1' } });
    await tell({
      kind: 'injury',
      source: 'late',
      at: '2026-03-01T11:40:00Z',
      checked: true,
      ref: 'l1',
      match: match(),
    });
    await tell(player('nfl', 'p1', 'Patrick Mahomes'));
    await tell({ ...player('nfl', 'o1', 'Patrick Mahomes', { at: '2026-03-01T11:50:00Z' }), source: 'other' });
    await server.projected();

    const refsOf = async (source: string, ref: string) => {
      const { mappings } = (await server.ask('list_mappings', { source, ref })) as any;
      return mappings[0].refs.map((one: any) => [one.source, one.ref, one.recorded_at]);
    };
    expect(await refsOf('feed', 'g1')).toEqual([
      ['espn', 'e1', minute(1)],
      ['feed', 'g1', minute(1)],
      ['fox', 'f1', minute(2)],
      ['late', 'l1', minute(3)],
    ]);
    expect(await refsOf('feed', 'kc')).toEqual([['feed', 'kc', minute(0)]]);
    expect(await refsOf('other', 'o1')).toEqual([
      ['feed', 'p1', minute(4)],
      ['other', 'o1', minute(5)],
    ]);
    // A schedule alone has it, and its record tells of no team.
    expect(await refsOf('feed', 'side-buf')).toEqual([['feed', 'side-buf', null]]);
  });

  function match() {
    return { ...NFL, starts_at: '2026-03-02T18:00:00Z', home: 'Chiefs', away: 'Bills' };
  }
});
