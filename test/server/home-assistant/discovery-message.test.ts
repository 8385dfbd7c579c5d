import { describe, expect, it } from 'vitest';
import { discoveryMessage } from '../../../src/server/home-assistant/discovery-message.ts';
import { checkDiscovery } from './discovery-rules.ts';

const team = { id: 5, teamId: 9, name: 'Arsenal', sport: 'soccer' };
const message = () => structuredClone(discoveryMessage(team, { version: '1', url: 'http://localhost:3000' })) as any;

describe('the discovery message of a device', () => {
  it('given a team, then it has the members that Home Assistant takes, by the id of its device', () => {
    checkDiscovery(message());
    expect(message().device.identifiers).toEqual(['ledgerline_team_5']);
    expect(message().components.game).toMatchObject({
      unique_id: 'ledgerline_team_5_game',
      state_topic: 'ledgerline/team/5/event',
    });
  });

  it.each<[string, (wrong: any) => void]>([
    ['a member that an event does not take', ({ components }) => (components.game.unit_of_measurement = '%')],
    ['an event without its types', ({ components }) => delete components.game.event_types],
    ['a sensor without an id', ({ components }) => delete components.odds.unique_id],
    ['a device without identifiers', ({ device }) => delete device.identifiers],
    ['an origin without a name', ({ origin }) => delete origin.name],
    ['a member of no sensor at the top', (wrong) => (wrong.value_template = '{{ value }}')],
  ])('given %s, then the rules of the tests refuse it', (_, spoil) => {
    const wrong = message();
    spoil(wrong);
    expect(() => checkDiscovery(wrong)).toThrow();
  });
});
