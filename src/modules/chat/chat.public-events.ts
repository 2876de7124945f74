import { type InternalEvent, internalEvents } from '../webhooks/contract.ts';
import { messageSent, roomChanged } from './contract.ts';

export const chatInternalEvents: InternalEvent[] = [
  ...internalEvents('Messages reach members live, and are too frequent for webhooks', messageSent),
  ...internalEvents('It keeps the search up to date', roomChanged),
];
