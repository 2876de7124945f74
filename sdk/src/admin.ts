import type { Caller } from './caller.ts';
import { methodsOf } from './facade.ts';
import { type Administrators, administrators } from './generated/administrators.ts';

export type { Administrators } from './generated/administrators.ts';

/** The operations of administrators, moderators and operators, called with the credentials of a client. */
export const adminOf = (client: Caller): Administrators => methodsOf<Administrators>(client, administrators);
