import { expect, it } from 'vitest';
import type { ClientChange } from '../../../src/read-models/change-feed/change-mapper.ts';
import type { ChangeSubject } from '../../../src/read-models/change-feed/change-subject.ts';
import { passesFilter } from '../../../src/webhooks/filters/passes-filter.ts';

/** Team 5 was merged into 6, player 8 into 9. */
const merged = {
  mergedInto: (what: string, id: number) =>
    what === 'team' && id === 6 ? [5] : what === 'player' && id === 9 ? [8] : [],
};
const injury = { eventType: 'injury', data: { player_id: 9 } } as unknown as ClientChange;
const act = { eventType: 'identity', data: { what: 'team', from: 5, into: 6 } } as unknown as ClientChange;
const subject = { teamIds: [6, 7], playerIds: [] } as unknown as ChangeSubject;

it.each([
  ['a team that was merged', { team_ids: [5] }, injury, true],
  ['the team that it means', { team_ids: [6] }, injury, true],
  ['another team', { team_ids: [4] }, injury, false],
  ['a player who was merged', { player_ids: [8] }, injury, true],
  ['another player', { player_ids: [5] }, injury, false],
  ['the team of an act', { team_ids: [5] }, act, true],
])('given a filter that names %s, then it goes on with what that means', (_, filter, change, passes) => {
  expect(passesFilter(filter, change, subject, merged)).toBe(passes);
});
