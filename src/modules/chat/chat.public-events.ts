import { type InternalEvent, internalEvents } from '../webhooks/contract.ts';
import {
  memberAdded,
  messageSent,
  messagesWaiting,
  publicRoomCreated,
  roomChanged,
  roomHandedOn,
} from './contract.ts';

export const chatInternalEvents: InternalEvent[] = [
  ...internalEvents('Messages reach members live, and are too frequent for webhooks', messageSent),
  ...internalEvents(
    'It notifies the member; who is in a room is known to its members alone',
    memberAdded,
    messagesWaiting,
    roomHandedOn,
  ),
  ...internalEvents('It keeps the search up to date', roomChanged),
  ...internalEvents('It notifies members who are subscribed to the topic', publicRoomCreated),
];
