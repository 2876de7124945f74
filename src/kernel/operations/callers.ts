import type { ObjectId } from '../ids.ts';
import type { Actor } from '../records/audit.ts';

/** A member signed in with a bearer token, as stored in the database when the request arrived. */
export interface UserCaller {
  kind: 'user';
  userId: ObjectId;
  email: string;
  permissions: string[];
  sessionId: ObjectId;
  /** Whether the member has a second factor: an authenticator app or a passkey. */
  hasFactor: boolean;
  /** Whether the session has stepped up in the last minutes. */
  isElevated: boolean;
  /** Whether the installation wants a verified e-mail address before money moves, and the member has none. */
  lacksVerifiedEmail: boolean;
}

/** A program that presented only an API key. */
export interface ClientCaller {
  kind: 'client';
}

/** An internal service, authenticated by the internal key. */
export interface ServiceCaller {
  kind: 'service';
}

export type Caller = UserCaller | ClientCaller | ServiceCaller;

/** Facts of a request, other than its caller, that a handler may need. */
export interface RequestFacts {
  requestId: string;
  /** The client's address, as reported by trusted proxies. */
  address: string;
  /** The `addressGroup` of the address, under which throttles and limits count it. */
  network: string;
  userAgent: string;
  /** Why an administrator does this. */
  reason?: string | undefined;
  /** The id and tier of the API key, when one was presented. */
  apiKey?: { id: ObjectId; tier: string };
}

/** Returns the actor to record for an action of the caller. */
export function actorOf(caller: Caller, { requestId, reason }: RequestFacts): Actor {
  if (caller.kind === 'user') return { actor: caller.userId, actorEmail: caller.email, requestId, reason };
  return { actor: caller.kind === 'service' ? 'service:internal' : 'service:client', requestId, reason };
}
