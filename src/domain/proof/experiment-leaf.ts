import { hash } from 'node:crypto';
import type { ExperimentDefinition } from '../experiments/experiment-events.ts';
import { canonicalJson } from '../primitives/canonical-json.ts';
import type { LeafContent } from './sealed-leaf.ts';

/** The SHA-256 of an experiment's canonical JSON (RFC 8785), in hexadecimal digits. Anybody who has it can compute it. */
export const hashOfExperiment = ({ name, policy, cohort, from, to, gates, seed }: ExperimentDefinition): string =>
  hash('sha256', canonicalJson({ name, policy, cohort, from, to, gates, seed }), 'hex');

/** An experiment as its answer shows it. */
export interface SealedExperiment extends ExperimentDefinition {
  readonly id: string;
  readonly hash: string;
  readonly posted_at: string;
}

/** What the leaf of a posted experiment says. */
export function experimentLeaf(experiment: SealedExperiment): LeafContent {
  const { id, hash, posted_at, name, policy, cohort, from, to, gates, seed } = experiment;
  return { kind: 'experiment', id, hash, posted_at, name, policy, cohort, from, to, gates, seed };
}
