import { Type } from 'typebox';
import { DateTime, nullable, oneOf } from '../../../kernel/operations/shapes.ts';
import { SessionShape } from '../sessions/sessions.schemas.ts';
import { AccessVerdict } from './support.schemas.ts';

/** Number of sessions that the overview of a user shows. */
export const SHOWN_SESSIONS = 20;

export const OverviewAccess = nullable(
  Type.Array(AccessVerdict, { description: 'Null while the customer directory is unavailable' }),
);

export const OverviewSessions = Type.Array(SessionShape, {
  description: `The active sessions, at most the ${SHOWN_SESSIONS} newest`,
});

export const OverviewFactors = Type.Array(
  Type.Object({
    kind: oneOf(['password', 'totp', 'passkey'], { description: 'With what the user proves who they are' }),
    since: nullable({ ...DateTime, description: 'Null if another system keeps it' }),
  }),
);
