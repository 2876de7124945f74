import type { Actor } from '../audit.ts';
import type { ObjectId } from '../ids.ts';

/** A member signed in with a bearer token, as the database knew them when the request came. */
export interface UserCaller {
  kind: 'user';
  userId: ObjectId;
  email: string;
  permissions: string[];
  sessionId: ObjectId;
}

/** A program that showed only an API key. */
export interface ClientCaller {
  kind: 'client';
}

/** Another service of ours, by the internal key. */
export interface ServiceCaller {
  kind: 'service';
}

export type Caller = UserCaller | ClientCaller | ServiceCaller;

/** What of a request may matter to its handler besides its caller. */
export interface RequestFacts {
  requestId: string;
  /** The client's address, as far as it can be trusted. */
  address: string;
  /** What throttles and limits count the address as: `addressGroup` of it. */
  network: string;
  userAgent: string;
  /** The API key's id and tier, where one was shown. */
  apiKey?: { id: ObjectId; tier: string };
}

/** Who is recorded as having done what the caller asks for. */
export function actorOf(caller: Caller, { requestId }: RequestFacts): Actor {
  if (caller.kind === 'user') return { actor: caller.userId, actorEmail: caller.email, requestId };
  return { actor: caller.kind === 'service' ? 'service:internal' : 'service:client', requestId };
}
