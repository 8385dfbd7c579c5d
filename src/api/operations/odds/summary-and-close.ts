import { ClosingLines, type SavedLines } from '../../../intelligence/prices/closing-lines.ts';
import type { PriceFold, PriceFoldKind } from '../../../intelligence/prices/price-fold.ts';
import { PriceSummary, type SavedSummary } from '../../../intelligence/prices/price-summary.ts';
import type { BookmakerWeights } from '../../../read-models/rendering/bookmakers.ts';

interface SummaryAndClose extends PriceFold {
  readonly summary: PriceSummary;
  readonly closing: ClosingLines;
}

/** The prices of an event's story and its closing lines, in one pass over its price updates. */
export const summaryAndClose = (
  sport: string,
  closesAt: number,
  weights: BookmakerWeights,
): PriceFoldKind<SummaryAndClose> => ({
  name: `summary ${closesAt} ${weights.weightsVersion(sport, closesAt)}`,
  stored: { name: `summary ${closesAt}`, version: `4 ${weights.weightsVersion(sport, closesAt)}` },
  begin: () => summaryFold(sport, closesAt, weights),
  restore: (saved: SavedSummaryAndClose) => summaryFold(sport, closesAt, weights, saved),
});

interface SavedSummaryAndClose {
  readonly summary: SavedSummary;
  readonly closing: SavedLines;
}

function summaryFold(
  sport: string,
  closesAt: number,
  { sharpWeight: weightOf }: BookmakerWeights,
  saved?: SavedSummaryAndClose,
): SummaryAndClose {
  const summary = new PriceSummary(closesAt, saved?.summary);
  const closing = new ClosingLines({ closesAt, sport, weightOf }, saved?.closing);
  return {
    summary,
    closing,
    get newestMoment() {
      return summary.newestMoment;
    },
    apply(update) {
      summary.apply(update);
      closing.apply(update);
    },
    save: (): SavedSummaryAndClose => ({ summary: summary.save(), closing: closing.save() }),
  };
}
