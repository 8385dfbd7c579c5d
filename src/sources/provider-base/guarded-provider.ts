import type { EventStatus } from '../../domain/catalogue/catalogue.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import { asRecords, asText } from '../parsing/json-values.ts';
import { noteHeld, notStartedIn } from './answer-notes.ts';
import { isStarted, type PlayState } from './backward-play.ts';
import { clockOf } from './hidden-clock.ts';
import type { AnswerItem, Provider, ProviderAnswer } from './provider.ts';
import { keyOf, type ScoreGuard } from './score-guard.ts';

type Message = Readonly<Record<string, unknown>>;

/** Kinds of messages about one game that are as old as its score in the same answer. */
const OF_A_GAME: ReadonlySet<unknown> = new Set(['schedule', 'score', 'odds', 'splits']);

/**
 * A provider whose answers are not believed at once when time runs backwards in a game: then nothing that the answer
 * says of that game is told.
 * @param connector that asks; a source may have two of them
 * @param subjectOf the same for all sources of a game, as far as it is known
 */
export function guardScores(
  provider: Provider,
  guard: ScoreGuard,
  connector: string = provider.name,
  subjectOf: (source: string, ref: string) => string = (name, ref) => keyOf({ source: name, ref }),
): Provider {
  const { name: source } = provider;
  const gameOf = (ref: string, sport?: string) => ({ source: connector, ref, subject: subjectOf(source, ref), sport });

  /** The games that are held back, and messages about those that have not begun after all. */
  function judge(items: readonly AnswerItem[], answer: ProviderAnswer) {
    const sports = new Map<string, string>();
    const held = new Set<string>();
    const more: AnswerItem[] = [];
    for (const item of items) {
      if (!('message' in item)) continue;
      const { kind, ref, sport } = item.message;
      if (typeof ref !== 'string') continue;
      if (typeof sport === 'string') sports.set(ref, sport);
      if (kind !== 'score') continue;
      const verdict = guard.judge(gameOf(ref, sports.get(ref)), playOf(item.message), answer.observedAt);
      if (verdict === 'held') held.add(ref);
    }
    for (const ref of notStartedIn(answer)) {
      const before = guard.believed(gameOf(ref));
      const wasStarted = isStarted(before?.status);
      if (before && !wasStarted) continue;
      const verdict = guard.judge(gameOf(ref), NOT_STARTED, answer.observedAt);
      // Nothing is told of a game that is to come, but a goal of its first minute is known to be one.
      if (!wasStarted) continue;
      const message = { kind: 'score', source, at: formatTime(answer.observedAt), ref, status: 'scheduled' };
      if (verdict === 'believed') more.push({ message });
      else held.add(ref);
    }
    return { held, more };
  }

  return {
    name: source,
    address: provider.address,
    ...(provider.leagues && { leagues: provider.leagues }),
    requests: (leagues, now) => provider.requests(leagues, now),
    async *read(answer) {
      const items: AnswerItem[] = [];
      for await (const item of provider.read(answer)) items.push(item);
      const { held, more } = judge(items, answer);
      if (held.size > 0) {
        noteHeld(answer);
        // What is left out here must be told later.
        provider.forgetPublished?.();
      }
      for (const item of items) {
        if (!('message' in item) || !isOfOne(held, item.message)) yield item;
      }
      yield* more;
    },
    missing: (request) => provider.missing?.(request),
    ...(provider.ahead && { ahead: (leagues) => provider.ahead!(leagues) }),
    forgetPublished: () => provider.forgetPublished?.(),
    get memory() {
      return provider.memory ?? { bytes: 0, limit: 0 };
    },
  };
}

const NOT_STARTED: PlayState = {
  status: 'scheduled',
  period: undefined,
  clock: undefined,
  scores: [undefined, undefined],
};

const isOfOne = (refs: ReadonlySet<string>, { kind, ref }: Message): boolean =>
  OF_A_GAME.has(kind) && typeof ref === 'string' && refs.has(ref);

const FIRST_ROLES: readonly unknown[] = ['home', 'player_1'];

/** What a `score` message says of the play. */
function playOf(message: Message): PlayState {
  const sides = asRecords(message['scores']);
  const first = sides.find(({ role }) => FIRST_ROLES.includes(role));
  const second = sides.find(({ role }) => !FIRST_ROLES.includes(role));
  return {
    status: message['status'] as EventStatus,
    period: asText(message['period']),
    clock: clockOf(message),
    scores: [pointsOf(first?.['score']), pointsOf(second?.['score'])],
  };
}

/** Points, or the games of all sets of tennis: `6 3` are nine. */
function pointsOf(score: unknown): number | undefined {
  const text = asText(score);
  if (text === undefined || !/^\d{1,6}( \d{1,6})*$/.test(text)) return undefined;
  return text.split(' ').reduce((sum, part) => sum + Number(part), 0);
}
