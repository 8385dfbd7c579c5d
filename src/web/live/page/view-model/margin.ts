import type { StoryModel } from './story-model.ts';

/** A side's lead from a moment on. */
interface MarginMoment {
  readonly at: number;
  readonly margin: number;
}

/**
 * Leaves out moments without both scores.
 * @param leading the side (0 or 1) whose lead counts as positive
 */
export function scoreMargins({ scores }: Pick<StoryModel, 'scores'>, leading: number): MarginMoment[] {
  const margins: MarginMoment[] = [];
  for (const { at, scores: pair } of scores) {
    const own = numberOf(pair[leading]);
    const other = numberOf(pair[1 - leading]);
    if (own === null || other === null) continue;
    const margin = own - other;
    if (margins.length === 0 || margins.at(-1)!.margin !== margin) margins.push({ at, margin });
  }
  return margins;
}

/** A score with several parts, such as the sets of tennis, counts as their sum. */
function numberOf(score: string | null | undefined): number | null {
  const parts =
    score
      ?.trim()
      .split(/\s+/)
      .map((part) => Number.parseFloat(part)) ?? [];
  const sum = parts.reduce((total, part) => total + part, 0);
  return parts.length > 0 && Number.isFinite(sum) ? sum : null;
}
