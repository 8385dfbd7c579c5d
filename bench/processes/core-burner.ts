import { setImmediate } from 'node:timers/promises';
import { serveParent } from '../child-side.ts';

/** Burns one core and does nothing else: what any other work on the machine costs readers. */
serveParent(async () => {
  void burn();
  return { port: 0 };
});

async function burn(): Promise<void> {
  for (;;) {
    for (const until = performance.now() + 50; performance.now() < until; );
    await setImmediate();
  }
}
