/**
 * Callers of one moment share one question, which is asked after all of them have come.
 * @param ask about all of these at once; its answer tells what it is for each
 */
export function shareRequests<Key, Answer>(
  ask: (keys: readonly Key[]) => Promise<(key: Key) => Answer>,
): (key: Key) => Promise<Answer> {
  let keys: Key[] = [];
  let asking: Promise<(key: Key) => Answer> | undefined;

  async function askAll(): Promise<(key: Key) => Answer> {
    // Those who go on with an answer that they have shared come in this turn.
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
