import { z } from 'zod';
import { scoreSnapshot as render } from '../../../read-models/rendering/event.ts';
import { type ScoreSnapshot, scoreSnapshot } from '../../../read-models/rendering/event-schemas.ts';
import { flat, type Operation } from '../../calls/operation.ts';
import { judgeEventSports } from '../judging.ts';
import { pathId } from '../parameters.ts';
import { readEvent } from '../reading.ts';

const path = pathId('event');
const query = z.object({
  api_key: z.string().max(200).optional().meta({ description: 'The API key, for clients that cannot set headers.' }),
});

/** Opening the stream costs what this says; `run` gives the snapshot that it begins with. */
export const streamScores: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, ScoreSnapshot> = {
  name: 'stream_scores',
  method: 'GET',
  path: '/v1/events/{id}/stream',
  tag: 'Events',
  summary: 'The score of one event as server-sent events: now, and at every change until it is over.',
  input: { path, query },
  output: scoreSnapshot,
  errors: ['sport_scope_denied', 'stream_limit_exceeded'],
  price: flat(1),
  streaming: true,
  judge: ({ id }, context) => judgeEventSports([id], context),
  async run(input, context) {
    return render(await readEvent(context, input.id), context.shownUntil());
  },
};
