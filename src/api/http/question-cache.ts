import type { InputReader } from '../calls/operation-input.ts';
import type { Question } from '../calls/question.ts';
import { type RoutedRequest, searchOf } from './routed-request.ts';

const MOST = 2000;
const LONGEST = 300;

/**
 * Reads what requests without a body ask for. The same address asks for the same each time, so that it is taken apart
 * and checked once; clients ask for the same few again and again.
 */
export function rememberedQuestions(reader: InputReader): (request: RoutedRequest) => Question {
  const known = new Map<string, Question>();
  return (request) => {
    const url = request.originalUrl;
    const found = known.get(url);
    if (found) return found;
    const input = deepFrozen(reader.fromHttp(request.params, searchOf(request), undefined));
    const question: Question = { input, text: JSON.stringify(input), asked: undefined };
    if (url.length > LONGEST) return question;
    // Rarely, and then all at once: cheaper than to note at each request which was asked for last.
    if (known.size >= MOST) known.clear();
    known.set(url, question);
    return question;
  };
}

/** One request must not change what another one is given. */
function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFrozen(member);
    Object.freeze(value);
  }
  return value;
}
