import { breathe } from '../../platform/time/breathe.ts';
import { type Provider, type TakenAnswer, UnknownAnswer } from '../importing/connector.ts';
import { GameBook } from './game-book.ts';
import { readEspnAnswer } from './live-answers.ts';
import { espnQuestions } from './questions.ts';
import { askedAt } from './routes.ts';

export interface EspnSettings {
  /** What every wait is divided by; 1 where it is left out. */
  readonly pace?: number;
}

/** What the bounds of a league come to for all of them, in bytes. */
const MEMORY_LIMIT = 32 * 1024 * 1024;

/** ESPN's public interface: schedules, scores, boxes, line-ups, injuries and the directory. */
export function espnProvider({ pace = 1 }: EspnSettings = {}): Provider {
  const book = new GameBook();
  return {
    name: 'espn',
    address: 'https://site.api.espn.com',
    questions(leagues, now) {
      // What was learnt before the server started, or from others.
      for (const { league, events } of leagues) {
        for (const { ref, startsAt, status } of events) {
          if (ref !== undefined && !book.has(league, ref)) book.set(league, ref, startsAt, status);
        }
      }
      return espnQuestions(leagues, now, pace);
    },
    async *read(answer: TakenAnswer) {
      const asked = askedAt(answer.question);
      if (!asked) throw new UnknownAnswer('', `answers no question of this provider: ${answer.question.path}`);
      for (const item of readEspnAnswer(answer, asked, book)) {
        await breathe();
        yield item;
      }
    },
    get memory() {
      return { bytes: book.bytes, limit: MEMORY_LIMIT };
    },
  };
}
