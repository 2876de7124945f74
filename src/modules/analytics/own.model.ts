import type { ObjectId } from '../../kernel/ids.ts';
import type { Span } from './spans.model.ts';

/** The owner of events: the member's number, by which events are stored, and id. */
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

/** Filters a member's events. */
export interface OwnFilter extends Span {
  eventType?: string;
}
