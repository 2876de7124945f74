import { Type } from 'typebox';
import { DateTime, nullable, oneOf } from '../../../kernel/operations/shapes.ts';
import { SessionShape } from '../sessions/sessions.schemas.ts';
import { AccessVerdict } from './support.schemas.ts';

/** Number of sessions that the overview of a user shows. */
export const SHOWN_SESSIONS = 20;

export const OverviewAccess = nullable(
  Type.Array(AccessVerdict, { description: 'Null while the customer directory is unavailable' }),
);

export const OverviewThrottledSignIns = Type.Array(
  Type.Object({
    address: Type.String({ description: 'The network from which they come', examples: ['203.0.113.7'] }),
    since: { ...DateTime, description: 'When the first was refused' },
    until: { ...DateTime, description: 'When one is tried again' },
  }),
  {
    description:
      'From where sign-ins by password are refused now after too many failures (429 TOO_MANY_ATTEMPTS)',
  },
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
