import { type InternalEvent, internalEvents } from '../webhooks/contract.ts';
import { addressSuppressed } from './contract.ts';

export const mailInternalEvents: InternalEvent[] = internalEvents(
  'It carries an address; the list of suppressions says which get no mail',
  addressSuppressed,
);
