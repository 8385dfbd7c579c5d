import type {
  CountedSelection,
  ExperimentMeasures,
  ExperimentResult,
  ExperimentVerdict,
  GateOutcome,
} from '../../domain/experiments/experiment-events.ts';
import { deepestFall, meanOfValues } from '../evaluation/mean-of-values.ts';
import type { ExperimentTerms, Gate } from './experiment-terms.ts';

/** Digits of what is reported. */
const MILLION = 1_000_000;
const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * MILLION) / MILLION;

/** @param selections in the order in which they were made */
export function measureSelections(selections: readonly CountedSelection[]): ExperimentMeasures {
  const clvs = selections.flatMap(({ clv }) => clv ?? []);
  const clv = meanOfValues(clvs, 1);
  const hits = meanOfValues(
    selections.map(({ result }) => (result === 'won' ? 1 : 0)),
    1,
  );
  const profits = selections.map(({ profit }) => profit);
  const profit = meanOfValues(profits, 1);
  return {
    n: selections.length,
    n_clv: clvs.length,
    clv: rounded(clv.mean),
    clv_se: rounded(clv.se),
    hit_rate: rounded(hits.mean),
    hit_rate_se: rounded(hits.se),
    profit: rounded(profit.mean),
    profit_se: rounded(profit.se),
    drawdown: rounded(deepestFall(profits))!,
  };
}

/**
 * The verdict of an experiment by its gates. It passes if every gate passes, and fails as soon as one fails. It is
 * inconclusive where something is not understood, where there is no gate, where there are fewer selections than `min_n`,
 * and where a mean lies within `standard_errors` of its limit.
 * @param leftOut selections that could not be kept
 */
export function judgeExperiment(
  { gates: asked, minN, standardErrors, notUnderstood }: ExperimentTerms,
  selections: readonly CountedSelection[],
  leftOut: number,
): Pick<ExperimentResult, 'verdict' | 'reasons' | 'measures' | 'gates'> {
  const measures = measureSelections(selections);
  const gates = asked.map((gate) => outcomeOf(gate, measures, minN, standardErrors));
  const reasons = [
    ...notUnderstood.map((place) => `${place} is not understood`),
    ...(leftOut > 0 ? [`${leftOut} selections are more than can be kept`] : []),
    ...(asked.length === 0 ? ['there is no gate'] : []),
    ...(measures.n < minN ? [`there are ${measures.n} selections; min_n is ${minN}`] : []),
  ];
  // Too little, or another question: then no gate may decide, not even to fail.
  if (reasons.length > 0) return { verdict: 'inconclusive', reasons, measures, gates };
  const verdicts = gates.map(({ verdict }) => verdict);
  if (verdicts.includes('fail')) return { verdict: 'fail', reasons, measures, gates };
  if (!verdicts.includes('inconclusive')) return { verdict: 'pass', reasons, measures, gates };
  const open = gates.filter(({ verdict }) => verdict === 'inconclusive');
  return { verdict: 'inconclusive', reasons: open.map(({ gate }) => `${gate} is not decided`), measures, gates };
}

function outcomeOf({ gate, limit }: Gate, measures: ExperimentMeasures, minN: number, errors: number): GateOutcome {
  const outcome = (measured: number | null, verdict: ExperimentVerdict) => ({ gate, limit, measured, verdict });
  if (gate === 'drawdown_below') {
    return outcome(measures.drawdown, measures.drawdown < limit ? 'pass' : 'fail');
  }
  const name = gate === 'clv_above' ? 'clv' : gate === 'profit_above' ? 'profit' : 'hit_rate';
  const mean = measures[name];
  const n = gate === 'clv_above' ? measures.n_clv : measures.n;
  const se = errors === 0 ? 0 : measures[`${name}_se`];
  if (mean === null || se === null || n < minN) return outcome(mean, 'inconclusive');
  if (mean - errors * se > limit) return outcome(mean, 'pass');
  return outcome(mean, mean + errors * se <= limit ? 'fail' : 'inconclusive');
}
