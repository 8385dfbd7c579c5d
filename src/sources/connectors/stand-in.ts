import { MINUTE } from '../../domain/primitives/time.ts';
import { saysTheSame } from '../provider-base/backward-play.ts';
import type { LeagueView, Provider, ProviderRequest } from '../provider-base/provider.ts';
import type { ScoreGuard } from '../provider-base/score-guard.ts';

/** How long a game in play may stand unchanged before a second source is asked once. */
const STANDS_MS = 10 * MINUTE;
/** What a second source is asked for: what is played. */
const KINDS: ReadonlySet<string> = new Set(['scoreboard', 'summary', 'schedule']);

interface StandInParts {
  /** The second source, and the connector of the first one. */
  readonly provider: Provider;
  readonly connector: string;
  readonly first: string;
  /** Whether the first source has not told of a league for three intervals. */
  readonly isSilent: (league: string) => boolean;
  readonly guard: Pick<ScoreGuard, 'shown' | 'unchangedSince'>;
  /** What a source calls an event; undefined if it never named it. */
  readonly refOf: (connector: string, eventId: number) => string | undefined;
  /** Divides the ten minutes. */
  readonly pace: number;
}

/**
 * A second source of leagues. It is asked while the first source is silent; and once when a game in play stands still
 * at the first source. If it then shows another state of that game, it is asked on until the first one moves.
 */
export function createStandIn(parts: StandInParts): Provider {
  const { provider, connector, first, isSilent, guard, refOf, pace } = parts;

  /** Since when a game in play stands still, for each such game of a league. */
  function standing({ events }: LeagueView, now: number) {
    return events.flatMap(({ eventId, status }) => {
      const ref = refOf(first, eventId);
      const since = ref === undefined ? undefined : guard.unchangedSince({ source: first, ref });
      const stands = status === 'inprogress' && since !== undefined && now - since >= STANDS_MS / pace;
      return stands ? [{ eventId, ref: ref!, since }] : [];
    });
  }

  function showsAnother({ eventId, ref }: { readonly eventId: number; readonly ref: string }): boolean {
    const ownRef = refOf(connector, eventId);
    const own = ownRef === undefined ? undefined : guard.shown({ source: connector, ref: ownRef });
    const others = guard.shown({ source: first, ref });
    return own !== undefined && others !== undefined && !saysTheSame(own, others);
  }

  return {
    ...provider,
    // A getter of the provider, which a copy would fix.
    get memory() {
      return provider.memory ?? { bytes: 0, limit: 0 };
    },
    requests(leagues, now) {
      const covered = leagues.filter(({ league }) => provider.leagues?.includes(league) ?? true);
      return covered.flatMap((view): readonly ProviderRequest[] => {
        const still = standing(view, now);
        const isAsked = isSilent(view.league) || still.some(showsAnother);
        if (!isAsked && still.length === 0) return [];
        const requests = provider.requests([view], now).filter(({ kind }) => KINDS.has(kind));
        if (isAsked) return requests;
        const { since } = still.reduce((a, b) => (a.since > b.since ? a : b));
        return requests
          .filter(({ kind, isPrerequisite }) => kind === 'scoreboard' && isPrerequisite)
          .map((request) => ({ ...request, key: `${request.key}:stands:${since}`, intervalSeconds: 'once' }));
      });
    },
  };
}
