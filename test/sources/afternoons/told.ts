import { MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import { espnProvider } from '../../../src/sources/espn/provider.ts';
import { isHeld } from '../../../src/sources/provider-base/answer-notes.ts';
import { guardScores } from '../../../src/sources/provider-base/guarded-provider.ts';
import type { ProviderAnswer } from '../../../src/sources/provider-base/provider.ts';
import { createScoreGuard } from '../../../src/sources/provider-base/score-guard.ts';
import type { Afternoon, Heard } from './afternoon.ts';
import { randomOf } from './generated-afternoons.ts';
import { unreliableHost } from './unreliable-host.ts';

/** What a connector would tell of each game, as it asks about every 15 s. */
export async function toldOf(afternoon: Afternoon, seed: number): Promise<ReadonlyMap<string, readonly Heard[]>> {
  const random = randomOf(seed);
  const guard = createScoreGuard(1);
  const provider = guardScores(espnProvider(), guard);
  const host = unreliableHost(afternoon, random);
  const told = new Map<string, Heard[]>();
  const first = Math.min(...afternoon.games.map(({ startsAt }) => startsAt));
  const last = Math.max(...afternoon.games.map(({ moments }) => moments.at(-1)!.at)) + 5 * MINUTE;
  const request = {
    path: `/apis/site/v2/sports/${afternoon.place}/scoreboard`,
    query: { dates: '20260606', limit: '500' },
  };
  for (let now = first - 15 * MINUTE; now < last; ) {
    const text = host.scoreboard('20260606', now);
    let answer: ProviderAnswer | undefined;
    try {
      answer = { request, body: JSON.parse(text), observedAt: now, arrivedAt: now };
    } catch {
      // Asked again after a second.
      now += SECOND;
      continue;
    }
    for await (const item of provider.read(answer)) {
      if (!('message' in item) || item.message['kind'] !== 'score') continue;
      const { ref, status, scores = [] } = item.message as any;
      const points = scores.map(({ score }: any) => score).join(':');
      const heard = [status, points].filter((text) => text !== '').join(' ');
      const before = told.get(ref) ?? [];
      if (before.at(-1)?.heard !== heard) told.set(ref, [...before, { at: now, heard }]);
    }
    const wait = 13_500 + random(3000);
    const left = isHeld(answer) ? guard.decidesAt('espn')! - now : 0;
    now += isHeld(answer) ? Math.min(wait, 15_000, left > 0 ? left : wait) : wait;
  }
  return told;
}
