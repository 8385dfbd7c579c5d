import { intakeContract } from './intake.contract.ts';
import { newIntakeWorld } from './intake-world.ts';
import { outcomePerStream } from './outcome-per-stream.ts';

intakeContract('feeds, on a log that refuses a batch as a whole', () => newIntakeWorld());
intakeContract('feeds, on a log with an outcome for each stream', () => newIntakeWorld(outcomePerStream));
