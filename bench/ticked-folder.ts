import { ingestFile } from './launched.ts';
import { messagesOf, type TickedEvents, writeTicks } from './ticks.ts';

/** Builds a folder with these events by the `ingest` command, and tells the seconds that it took. */
export async function takenIn(
  data: string,
  ticked: TickedEvents,
): Promise<TickedEvents & { readonly seconds: number }> {
  const file = `${data}.ndjson`;
  await writeTicks(file, ticked);
  return { ...ticked, seconds: await ingestFile(data, file, messagesOf(ticked)) };
}
