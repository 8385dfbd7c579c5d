import { bisector } from 'd3-array';
import type { EventStatus } from '../../../../domain/catalogue/catalogue.ts';
import type { LinePoint, Market, ScorePoint, Story, StoryLine } from '../../answers/live-page-answers.ts';
import { phaseOf } from './event-phase.ts';

/** A story with times in milliseconds, each list in order of time. */
export interface StoryModel {
  readonly from: number;
  readonly to: number;
  readonly scores: readonly ScoreMoment[];
  readonly lines: readonly LineHistory[];
  readonly injuries: readonly InjuryMoment[];
}

type AtTime<T extends { readonly at: string }> = Omit<T, 'at'> & { readonly at: number };

export type ScoreMoment = AtTime<ScorePoint>;
export type LineMoment = AtTime<LinePoint>;
export type LineHistory = Omit<StoryLine, 'points'> & { readonly points: readonly LineMoment[] };
type InjuryMoment = AtTime<Story['injuries'][number]>;

export type { Market };
export const MARKETS: readonly Market[] = ['h2h', 'spreads', 'totals'];
export const MARKET_NAMES: Readonly<Record<Market, string>> = {
  h2h: 'Moneyline',
  spreads: 'Spread',
  totals: 'Total',
};

const withTimes = <T extends { readonly at: string }>(points: readonly T[]): AtTime<T>[] =>
  points.map((point) => ({ ...point, at: Date.parse(point.at) })).sort((a, b) => a.at - b.at);

/** A story whose last change is older than this does not continue, whatever its status. */
const MAX_ONGOING_GAP_MS = 12 * 60 * 60 * 1000;

/** @param isOver no more changes are expected; otherwise the story continues to the moment of the answer */
export function toStoryModel(story: Story, isOver: boolean): StoryModel {
  const end = Date.parse(story.to);
  const answeredAt = Date.parse(story.generated_at);
  const to = !isOver && answeredAt - end < MAX_ONGOING_GAP_MS ? Math.max(end, answeredAt) : end;
  const scores = withTimes(story.scores);
  const lines = story.lines.map((line) => ({ ...line, points: withTimes(line.points) }));
  const injuries = withTimes(story.injuries);
  // That an event was announced is no part of its story: it begins with the first price, report or play.
  const begins = [...lines.map(({ points }) => points[0]), injuries[0], scores.find(isPlay)];
  const from = begins.reduce((first, moment) => Math.min(first, moment?.at ?? first), Number.POSITIVE_INFINITY);
  return { from: Number.isFinite(from) ? from : Date.parse(story.from), to, scores, lines, injuries };
}

const isPlay = ({ status }: Pick<ScorePoint, 'status'>): boolean => phaseOf(status) !== 'coming';

/** Whether anything was played. */
export const hasBegun = ({ scores }: StoryModel): boolean => scores.some(isPlay);

const byTime = bisector<{ readonly at: number }, number>(({ at }) => at);

/** The last element at or before a time. */
export const lastAt = <T extends { readonly at: number }>(moments: readonly T[], time: number): T | undefined =>
  moments[byTime.right(moments as readonly T[], time) - 1];

/** The start of play: the first live state, otherwise the announced start if it has passed. */
export function playStart(model: StoryModel, startsAt: number): number | null {
  const live = model.scores.find(({ status }) => status === 'inprogress');
  if (live) return live.at;
  return startsAt > model.from && startsAt < model.to ? startsAt : null;
}

/** Each player's last report at a time, newest first. */
export function injuriesAt(model: StoryModel, time: number): InjuryMoment[] {
  const last = new Map<string, InjuryMoment>();
  for (const report of model.injuries) {
    if (report.at > time) break;
    const who = `${report.team}\n${report.player}`;
    last.delete(who);
    last.set(who, report);
  }
  return [...last.values()].reverse();
}

/** The moments at which the status changed. */
export function statusChanges({ scores }: StoryModel): { readonly at: number; readonly status: EventStatus }[] {
  return scores.filter(({ status }, index) => status !== scores[index - 1]?.status);
}
