import type { Operation } from './operation.ts';
import type { Principal } from './principal.ts';

/** What is asked of an operation that reads. */
export interface Question {
  readonly input: any;
  /** The same for the same input: its JSON. */
  readonly text: string;
  /** The key of its answer as it was asked for last, and for which scopes. */
  asked?: { readonly scopes: Principal['scopes']; readonly key: string } | undefined;
}

/** Under which the answer is kept. The scopes decide what a list holds, and what is refused. */
export function keyOfQuestion({ name }: Operation, question: Question, { scopes }: Principal): string {
  if (question.asked?.scopes !== scopes) question.asked = { scopes, key: `${name} ${scopes.join()} ${question.text}` };
  return question.asked.key;
}
