import { ascending } from 'd3-array';
import { timeOf } from '../../domain/observations/observation.ts';
import { fnv1a } from '../../domain/primitives/fnv1a.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import { Timeline } from '../../intelligence/facts/value-timeline.ts';
import type { HomeAway } from '../../intelligence/models/model.ts';

/** A player's rank in the official ranking, as a source reported it. */
export interface PlayerRanking {
  readonly player: string;
  /** Milliseconds. */
  readonly at: number;
  readonly source: string;
  /** 1 is the best. */
  readonly rank: number;
}

/** The ranking that a record of a player holds; undefined if it holds none. */
export function rankingIn({ type, data }: DomainRecord): PlayerRanking | undefined {
  if (type !== 'PlayerChanged') return undefined;
  const { tennis_ranking: rank } = data.content.facts;
  if (rank === undefined) return undefined;
  return { player: String(data.playerId), at: timeOf(data.at), source: data.source, rank };
}

/** The official rank of each player at any moment, whatever the order in which the ranks arrive. */
export class PlayerRankings {
  readonly #reported = new Map<string, PlayerRanking[]>();
  readonly #timelines = new Map<string, Timeline<number>>();

  /** @returns whether the ranking is new */
  add(ranking: PlayerRanking): boolean {
    const reported = this.#reported.get(ranking.player) ?? [];
    this.#reported.set(ranking.player, reported);
    if (reported.some((known) => compareRankings(known, ranking) === 0)) return false;
    reported.push(ranking);
    this.#timelines.delete(ranking.player);
    return true;
  }

  /** The rank just before a moment (milliseconds); null if unknown. */
  readonly at = (player: string, moment: number): number | null => this.#timelineOf(player)?.before(moment) ?? null;

  /** The ranks of both sides just before a moment (milliseconds). */
  readonly ofSides = ({ home, away }: HomeAway<string>, moment: number): HomeAway<number | null> => ({
    home: this.at(home, moment),
    away: this.at(away, moment),
  });

  /** The moments in [from, before) at which a rank was reported. */
  momentsOf(player: string, from: number, before: number): number[] {
    return this.#timelineOf(player)?.moments(from, before) ?? [];
  }

  /** Differs if the rankings from before a moment (milliseconds) do, whatever the order in which they came. */
  digestBefore(moment: number): string {
    let [count, times, ranks, players] = [0, 0, 0, 0];
    for (const [player, reported] of this.#reported) {
      const number = fnv1a(player) % TIMES;
      for (const { at, rank } of reported) {
        if (at >= moment) continue;
        count += 1;
        times = (times + (at % TIMES) * rank) % TIMES;
        ranks += rank;
        players = (players + number * rank) % TIMES;
      }
    }
    return `${count} ${times} ${ranks} ${players}`;
  }

  #timelineOf(player: string): Timeline<number> | undefined {
    const known = this.#timelines.get(player);
    const reported = this.#reported.get(player);
    if (known || !reported) return known;
    const timeline = new Timeline<number>();
    for (const { at, rank } of reported.sort(compareRankings)) timeline.put(at, rank);
    this.#timelines.set(player, timeline);
    return timeline;
  }
}

/** A prime number: products of a remainder and a rank stay exact. */
const TIMES = 1_000_003;

const compareRankings = (a: PlayerRanking, b: PlayerRanking): number =>
  a.at - b.at || ascending(a.source, b.source) || a.rank - b.rank;
