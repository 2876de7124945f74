import type { ObjectId } from '../../kernel/ids.ts';
import type { Span } from './spans.model.ts';

/** Whose events they are: the member's number, by which they are stored, and id. */
export interface Owner {
  person: number;
  userId: ObjectId;
}

/** An event as its member sees it. */
export interface OwnEvent {
  id: ObjectId;
  userId: ObjectId;
  eventName: string;
  eventType: string;
  metadata: Record<string, unknown>;
  timestamp: Date;
}

/** Narrows a member's events; those before the place of one of them, in the order of the list. */
export interface OwnFilter extends Span {
  eventType?: string;
  before?: { at: Date; id: ObjectId };
}
