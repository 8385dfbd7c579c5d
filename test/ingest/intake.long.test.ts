import { intakeContract } from './intake.contract.ts';
import { newIntakeWorld } from './intake-world.ts';

intakeContract('feeds', () => newIntakeWorld());
