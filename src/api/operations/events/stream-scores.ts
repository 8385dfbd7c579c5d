import { z } from 'zod';
import { type ScoreSnapshot, scoreSnapshot } from '../../../read-models/rendering/event-schemas.ts';
import { renderScoreSnapshot as render } from '../../../read-models/rendering/render-event.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { readWinProbability } from '../intelligence/win-probability.ts';
import { apiKeyParameter, boolean, eventPath } from '../shared/parameters.ts';
import { readEvent } from '../shared/read-documents.ts';
import { checkEventSports } from '../shared/unpaid-checks.ts';

const path = eventPath();
const query = z.object({
  api_key: apiKeyParameter,
  include_probability: boolean('Adds `win_probability` to each score.').default(false),
});

/** The cost is that of opening the stream; `run` gives its first snapshot. */
export const streamScores: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, ScoreSnapshot> = {
  name: 'stream_scores',
  method: 'GET',
  path: '/v1/events/{id}/stream',
  tag: 'Events',
  summary: 'The score of one event as server-sent events: now, and at every change until it is over.',
  hint: 'It begins with the present score, so after a lost connection open it again: no `Last-Event-ID` is read, and changes in between are not told. `/v1/stream` goes on where it ended.',
  input: { path, query },
  output: scoreSnapshot,
  errors: ['sport_scope_denied', 'stream_limit_exceeded'],
  cost: flatCost(1),
  streaming: true,
  checkUnpaid: ({ id }, context) => checkEventSports([id], context),
  async run(input, context) {
    const event = await readEvent(context, input.id);
    const snapshot = render(event, context.latestUpdatedAt());
    if (!input.include_probability) return snapshot;
    const winProbabilityOf = await readWinProbability(context, event);
    return { ...snapshot, win_probability: winProbabilityOf(event) };
  },
};
