export { Refused, wrongField } from '../domain/refused-act.ts';
