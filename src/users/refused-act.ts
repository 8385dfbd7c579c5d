export { Refused, wrongField } from '../domain/refused.ts';
