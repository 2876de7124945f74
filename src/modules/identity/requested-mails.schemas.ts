// Events that request an e-mail to one person.
import { Type } from 'typebox';
import { eventKind } from '../../kernel/messaging/events.ts';
import { ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { FACTOR_CHANGES } from './factors/factors.model.ts';

/** The recipient of a mail. */
const memberData = Type.Object({ userId: ObjectIdShape, email: Type.String(), firstName: Type.String() });

/** Requests a welcome e-mail to a member. */
export const welcomeMail = eventKind('email.welcome', { version: 1, data: memberData });

/** Requests an e-mail with a reset code. The code is sealed, because jobs are retained for a while. */
export const passwordResetMail = eventKind('email.password-reset', {
  version: 1,
  data: Type.Object({ email: Type.String(), firstName: Type.String(), code: Type.String() }),
});

/** Requests an e-mail by which a member verifies their address. Code and token are sealed. */
export const verificationMail = eventKind('email.verification', {
  version: 1,
  data: Type.Object({ ...memberData.properties, code: Type.String(), token: Type.String() }),
});

/** Notifies a member of a sign-in from a new device or a new address range. */
export const newSignInMail = eventKind('email.new-sign-in', {
  version: 1,
  data: Type.Object({
    ...memberData.properties,
    sessionId: ObjectIdShape,
    platform: Type.String(),
    device: Type.String(),
    address: Type.String(),
    at: Type.String(),
  }),
});

export const passwordChangedMail = eventKind('email.password-changed', { version: 1, data: memberData });

/** Notifies a member that their second factors have changed. */
export const factorsChangedMail = eventKind('email.factors-changed', {
  version: 2,
  data: Type.Object({ ...memberData.properties, change: oneOf(FACTOR_CHANGES) }),
  // Version 2 has a change that programs of version 1 have no words for.
  upgrades: { 1: (data) => data },
});
