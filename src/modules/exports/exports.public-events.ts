import { type InternalEvent, internalEvents } from '../webhooks/contract.ts';
import { exportEndedMail } from './requested-mails.schemas.ts';

export const exportInternalEvents: InternalEvent[] = internalEvents('It requests an e-mail', exportEndedMail);
