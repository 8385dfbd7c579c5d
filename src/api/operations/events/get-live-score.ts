import { z } from 'zod';
import { isInPlay } from '../../../domain/sports-events/event-results.ts';
import { type ScoreSnapshot, scoreSnapshot } from '../../../read-models/rendering/event-schemas.ts';
import { renderScoreSnapshot as render } from '../../../read-models/rendering/render-event.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { asOfParameters, eventPath, readAsOf } from '../shared/parameters.ts';
import { readEvent } from '../shared/read-documents.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';
import { isFreshFinal } from './event-with-addons.ts';

const path = eventPath();
const query = z.object(asOfParameters);

export const getLiveScore: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, ScoreSnapshot> = {
  name: 'get_live_score',
  method: 'GET',
  path: '/v1/events/{id}/score',
  tag: 'Events',
  brief: 'The score of one event, live or final: who is winning, who beat whom.',
  summary: 'The score of one event.',
  hint: 'At most 20 polls a minute for each key; names, venue and season are in `get_event`.',
  input: { path, query },
  output: scoreSnapshot,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: flatCost(1),
  sharedLimit: () => 'score_poll',
  cache(_, score, now) {
    if (isFreshFinal(score, now)) return 0;
    return isInPlay(score.status) ? 15 : 300;
  },
  checkUnpaid: checkEventRead,
  async run(input, context) {
    return render(await readEvent(context, input.id, readAsOf(input, context.now)), context.latestUpdatedAt());
  },
};
