type AnswerOf<Key, Answer> = (key: Key) => Answer | Promise<Answer>;

/**
 * Combines the calls of one moment into one request.
 * @param ask makes one request for all these keys; its answer gives the answer of each key
 */
export function shareRequests<Key, Answer>(
  ask: (keys: readonly Key[]) => Promise<AnswerOf<Key, Answer>>,
): (key: Key) => Promise<Answer> {
  let keys: Key[] = [];
  let asking: Promise<AnswerOf<Key, Answer>> | undefined;

  async function askAll(): Promise<AnswerOf<Key, Answer>> {
    // Callers that continue after a shared answer come in this turn.
    await new Promise((resolve) => setImmediate(resolve));
    const all = keys;
    keys = [];
    asking = undefined;
    return ask(all);
  }

  return async (key) => {
    keys.push(key);
    asking ??= askAll();
    return (await asking)(key);
  };
}
