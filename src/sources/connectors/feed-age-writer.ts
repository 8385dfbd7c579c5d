import type { LeagueAnswers } from './league-answers.ts';
import type { ConnectorStore } from './store/connector-store.ts';
import type { SharedFeedAge, SharedFeedAges } from './store/shared-feed-ages.ts';

interface FeedAgeWriterParts {
  readonly shared: SharedFeedAges;
  readonly answers: LeagueAnswers;
  /** Slugs of the leagues that are polled. */
  readonly leagues: readonly string[];
  /** The clock that all processes share, and the monotonic clock of this one; milliseconds. */
  readonly now: () => number;
  readonly steadyNow: () => number;
  readonly onError: (error: unknown) => void;
}

/** Tells other processes how old the feeds are, while this process polls. */
interface FeedAgeWriter {
  /** Goes on with what the process that polled before has told. */
  takeOver(): Promise<void>;
  /** Tells what has changed, and not more often than `TELL_EVERY_MS`. */
  tell(): void;
}

/** Several answers a second would else be as many writes. */
const TELL_EVERY_MS = 2000;

export function createFeedAgeWriter(parts: FeedAgeWriterParts): FeedAgeWriter {
  const { shared, answers, leagues, now, steadyNow, onError } = parts;
  let toldAt = Number.NEGATIVE_INFINITY;
  let told = '';
  let isTelling = false;

  /** In milliseconds of the monotonic clock, so that nothing has changed while nothing was answered. */
  const state = (): string =>
    JSON.stringify(leagues.map((league) => [answers.answeredAt(league), answers.downFrom(league)]));

  function ages(): SharedFeedAge[] {
    const shift = now() - steadyNow();
    return leagues.map((league) => {
      const downFrom = answers.downFrom(league);
      return {
        league,
        answeredAt: Math.round(answers.answeredAt(league) + shift),
        downFrom: Number.isFinite(downFrom) ? Math.round(downFrom + shift) : null,
      };
    });
  }

  return {
    async takeOver() {
      try {
        const shift = now() - steadyNow();
        for (const { league, answeredAt } of await shared.read()) answers.noteEarlier(league, answeredAt - shift);
      } catch (error) {
        onError(error);
      }
    },
    tell() {
      const [time, next] = [steadyNow(), state()];
      if (isTelling || next === told || time < toldAt + TELL_EVERY_MS) return;
      isTelling = true;
      toldAt = time;
      shared.write(ages()).then(
        () => {
          told = next;
          isTelling = false;
        },
        (error: unknown) => {
          isTelling = false;
          onError(error);
        },
      );
    },
  };
}

/** Milliseconds within which the ages are removed. */
const REMOVAL_MS = 5000;

/** Of a process that may poll and is told to poll nothing: unless another one polls, no feed is meant to come. */
export async function endFeedAges(
  { claim, release }: Pick<ConnectorStore, 'claim' | 'release'>,
  shared: SharedFeedAges,
  { owner, now }: { readonly owner: string; readonly now: () => number },
): Promise<void> {
  if (!(await claim(owner, now(), REMOVAL_MS))) return;
  await shared.write([]);
  await release(owner);
}
