import { z } from 'zod';
import { scoreSnapshot as render } from '../../../read-models/rendering/event.ts';
import { type ScoreSnapshot, scoreSnapshot } from '../../../read-models/rendering/event-schemas.ts';
import { flat, type Operation } from '../../calls/operation.ts';
import { judgeEventRead } from '../judging.ts';
import { asOfParameters, pathId, readAsOf } from '../parameters.ts';
import { readEvent } from '../reading.ts';

const path = pathId('event');
const query = z.object(asOfParameters);

export const getLiveScore: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, ScoreSnapshot> = {
  name: 'get_live_score',
  method: 'GET',
  path: '/v1/events/{id}/score',
  tag: 'Events',
  summary: 'The score of one event.',
  hint: 'At most 20 polls a minute for each key; names, venue and season are in `get_event`.',
  input: { path, query },
  output: scoreSnapshot,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  price: flat(1),
  budget: () => 'score_poll',
  cache: (_, { status }) => (status === 'inprogress' || status === 'suspended' ? 15 : 300),
  judge: judgeEventRead,
  async run(input, context) {
    return render(await readEvent(context, input.id, readAsOf(input, context.now)), context.shownUntil());
  },
};
