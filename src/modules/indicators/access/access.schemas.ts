import { type Static, Type } from 'typebox';
import { bulkFailure, bulkIds } from '../../../kernel/operations/bulk.ts';
import { bodyId } from '../../../kernel/operations/ids.ts';
import {
  cursorQuery,
  DateTime,
  InstantText,
  nullable,
  ObjectIdShape,
  oneOf,
  optionalText,
} from '../../../kernel/operations/shapes.ts';
import { HANDLE_PATTERN } from '../contract.ts';
import { SOURCES, STATUSES } from './access.model.ts';

export const AccessStatus = oneOf(STATUSES, { $id: 'IndicatorAccessStatus', examples: ['active'] });

const ChartingUsername = Type.String({
  minLength: 1,
  maxLength: 100,
  documented: { pattern: HANDLE_PATTERN },
  description: 'The username at the charting platform. Surrounding spaces and a leading @ are removed',
  examples: ['ada_trades'],
});

const User = Type.Unsafe<{
  id: string;
  name: string;
  email: string;
  firstName: string;
  lastName: string;
} | null>({
  type: ['object', 'null'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    email: { type: 'string' },
    firstName: { type: 'string' },
    lastName: { type: 'string' },
  },
  required: ['id', 'name', 'email', 'firstName', 'lastName'],
});

const fields = {
  id: ObjectIdShape,
  accessId: { ...ObjectIdShape, description: 'The same as `id`' },
  scannerId: ObjectIdShape,
  scannerName: Type.String({ examples: ['Trend Pulse'] }),
  userId: ObjectIdShape,
  chartingUsername: Type.String({ examples: ['ada_trades'] }),
  status: AccessStatus,
  source: oneOf(SOURCES, { examples: ['automated'] }),
  lastError: nullable(Type.String({ description: 'Why the grant or revocation is delayed or failed' })),
  attempts: Type.Integer({ description: 'Attempts at the current or failed grant or revocation' }),
  graceEndsAt: nullable(DateTime),
  requestId: nullable(ObjectIdShape),
  createdAt: DateTime,
  updatedAt: DateTime,
};

/** A grant as its member sees it. */
export const MyAccess = Type.Object(fields, { $id: 'MyIndicatorAccess' });
export type MyAccess = Static<typeof MyAccess>;

/** A grant as operators see it. */
export const AccessRow = Type.Object(
  {
    ...fields,
    user: User,
    failedAction: nullable(oneOf(['grant', 'revoke'])),
    errorKind: nullable(Type.String({ examples: ['unknown-user'] })),
    entry: nullable(
      oneOf(['made', 'found', 'by-hand'], {
        description:
          'Who made the entry at the charting platform: this platform (`made`, also once taken over), somebody before the grant (`found`; it stays when the grant ends), or a person because of the grant (`by-hand`; a person removes it)',
      }),
    ),
  },
  { $id: 'IndicatorAccess' },
);
/** The grants of a user, of all indicators. */
export const OverviewGrants = Type.Array(AccessRow);
export type AccessRow = Static<typeof AccessRow>;

export const Move = Type.Object(
  {
    fromStatus: nullable(AccessStatus),
    toStatus: AccessStatus,
    version: Type.Integer({ description: 'Increases with each change of the requested state' }),
    movedBy: Type.String({ description: 'A user id, or `service:<name>`', examples: ['service:backoffice'] }),
    why: Type.String({ examples: ['Granted by an administrator'] }),
    createdAt: DateTime,
  },
  { $id: 'IndicatorAccessMove' },
);

const page = cursorQuery({ limit: 50, maximum: 200, before: bodyId('access') });

export const ListIndicatorAccessQuery = Type.Object({ ...page, status: Type.Optional(AccessStatus) });

export const ListAllIndicatorAccessQuery = Type.Object({
  ...page,
  userId: Type.Optional(bodyId('user')),
  status: Type.Optional(AccessStatus),
  source: Type.Optional(oneOf(SOURCES)),
  olderThan: Type.Optional({ ...InstantText, description: 'Last changed before this instant' }),
});

export const RetryAllIndicatorAccessBody = Type.Object({ ids: bulkIds(bodyId('access')) });

export const RetriedAccess = Type.Object(
  { id: ObjectIdShape, status: nullable(AccessStatus), ...bulkFailure },
  { $id: 'RetriedIndicatorAccess' },
);

export const GrantIndicatorAccessBody = Type.Object(
  {
    userId: Type.Optional(bodyId('user')),
    email: Type.Optional(Type.String({ maxLength: 320, examples: ['ada@example.com'] })),
    chartingUsername: ChartingUsername,
  },
  { atLeastOne: [['userId', 'email']] },
);

export const ResolveIndicatorAccessBody = Type.Object({
  note: Type.Optional(optionalText(500)),
});

export const ListIndicatorAccessFailuresQuery = Type.Object(page);

export const SetChartingUsernameBody = Type.Object({ chartingUsername: ChartingUsername });

export const SetChartingUsernameResult = Type.Object({
  chartingUsername: Type.String({ examples: ['ada_trades'] }),
  moved: Type.Integer({ description: 'Number of grants that move to the new username' }),
  checked: Type.Boolean({ description: 'Whether the charting platform confirmed the username' }),
});
