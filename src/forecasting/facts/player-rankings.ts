import { ascending } from 'd3-array';
import { timeOf } from '../../domain/observations/observation.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import { Timeline } from '../../intelligence/facts/value-timeline.ts';
import type { HomeAway } from '../../intelligence/models/model.ts';

/** A player's place in the official ranking, as a source told it. */
export interface PlayerRanking {
  readonly player: string;
  /** Milliseconds. */
  readonly at: number;
  readonly source: string;
  /** 1 is the best. */
  readonly rank: number;
}

/** The ranking that a record of a player tells; undefined where it tells none. */
export function rankingIn({ type, data }: DomainRecord): PlayerRanking | undefined {
  if (type !== 'PlayerChanged') return undefined;
  const { tennis_ranking: rank } = data.content.facts;
  if (rank === undefined) return undefined;
  return { player: String(data.playerId), at: timeOf(data.at), source: data.source, rank };
}

/** Where players stood in the official ranking at any moment, whatever the order in which it was told. */
export class PlayerRankings {
  readonly #told = new Map<string, PlayerRanking[]>();
  readonly #timelines = new Map<string, Timeline<number>>();

  /** @returns whether it is news */
  add(ranking: PlayerRanking): boolean {
    const told = this.#told.get(ranking.player) ?? [];
    this.#told.set(ranking.player, told);
    if (told.some((known) => compareRankings(known, ranking) === 0)) return false;
    told.push(ranking);
    this.#timelines.delete(ranking.player);
    return true;
  }

  /** The place just before a moment (milliseconds); null where it is not known. */
  readonly at = (player: string, moment: number): number | null => this.#of(player)?.before(moment) ?? null;

  /** The places of both sides just before a moment (milliseconds). */
  readonly ofSides = ({ home, away }: HomeAway<string>, moment: number): HomeAway<number | null> => ({
    home: this.at(home, moment),
    away: this.at(away, moment),
  });

  /** The moments from one on and before another at which a place was told. */
  momentsOf(player: string, from: number, before: number): number[] {
    return this.#of(player)?.moments(from, before) ?? [];
  }

  #of(player: string): Timeline<number> | undefined {
    const known = this.#timelines.get(player);
    const told = this.#told.get(player);
    if (known || !told) return known;
    const timeline = new Timeline<number>();
    for (const { at, rank } of told.sort(compareRankings)) timeline.put(at, rank);
    this.#timelines.set(player, timeline);
    return timeline;
  }
}

const compareRankings = (a: PlayerRanking, b: PlayerRanking): number =>
  a.at - b.at || ascending(a.source, b.source) || a.rank - b.rank;
