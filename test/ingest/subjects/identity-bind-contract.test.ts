import { expect, it } from 'vitest';
import type { IdentityState } from '../../../commands/identity-decider.ts';
import type { IngestSession } from '../../../src/ingest/binding/ingest-session.ts';
import { bindContractRules } from '../../../src/ingest/subjects/identity-bind-contract.ts';

it('given a contract of a league that this server has no more, when its bind is taken back, then that is refused with the reason', async () => {
  const content = {
    ...{ action: 'bind', what: 'event', sourceRef: { source: 'kalshi', ref: 'X-1' }, into: 1, intoRef: null },
    ...{ sport: 'nba', league: 'left', side: { outcome: 'home' } },
  } as const;
  const acts = [{ at: '2026-03-01T12:00:00Z', content, moved: { records: 0, refs: 1 }, undoneBy: null }];
  const state = { acts, dismissals: new Map() } as unknown as IdentityState;
  const refused = {
    code: 'unknown_league',
    message: 'act: its league left is not among the leagues of this server',
    path: 'act',
  };
  const { refuseUndo, refuseAgain } = bindContractRules;
  for (const refuse of [refuseUndo, refuseAgain])
    expect(await refuse({} as IngestSession, content as never, state)).toEqual(refused);
});
