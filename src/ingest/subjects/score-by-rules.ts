import { type GameRules, gameRulesOf, hasOwnRules } from '../../domain/catalogue/game-rules.ts';
import { extraPlayOf, periodOrder } from '../../domain/catalogue/period-order.ts';
import type { ScoreMessage } from '../../domain/feed/feed-messages.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import type { EventIdentity } from '../../domain/streams/domain-events.ts';

/**
 * What a score says that its league does not play, by the rules that CONFIG has for it: a fifth quarter, an overtime, a
 * shootout. Null if nothing, and in leagues without rules of their own, of whose periods sources say what they like.
 */
export function findUnplayed({ sport, league }: EventIdentity, message: ScoreMessage): Rejection | null {
  if (!hasOwnRules(league)) return null;
  const rules = gameRulesOf({ sport, league });
  const reject = (path: string, value: string): Rejection => ({
    code: 'not_played',
    message: `${path}: ${value} is not played in ${league}, which has ${inWords(rules)}`,
    path,
  });
  const stated = [
    ['period', message.period] as const,
    ...(message.scores ?? []).flatMap(({ period_scores = [] }, side) =>
      period_scores.map(({ period }, index) => [`scores.${side}.period_scores.${index}.period`, period] as const),
    ),
  ];
  for (const [path, period] of stated) {
    if (period !== undefined && !isPlayed(rules, period)) return reject(path, period);
  }
  const { result_type: result } = message;
  const isUnplayed = (result === 'overtime' && rules.overtime === 'none') || (result === 'shootout' && !rules.shootout);
  return isUnplayed ? reject('result_type', result) : null;
}

/** A name that nobody knows is not held against the source. */
function isPlayed({ unit, periods, overtime, shootout }: GameRules, period: string): boolean {
  const extra = extraPlayOf([period]);
  if (extra === 'shootout') return shootout;
  if (extra === 'overtime') return overtime !== 'none';
  const order = Math.floor(periodOrder(period) ?? 0);
  return order <= periods.length || (unit === 'inning' && overtime !== 'none');
}

function inWords({ unit, periods, overtime, shootout }: GameRules): string {
  const beyond = [...(overtime === 'none' ? [] : ['an overtime']), ...(shootout ? ['a shootout'] : [])];
  return `${periods.length} ${unit}s and ${beyond.length === 0 ? 'nothing beyond them' : beyond.join(' and ')}`;
}
