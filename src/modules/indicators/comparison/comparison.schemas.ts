import { type Static, Type } from 'typebox';
import { nullable, ObjectIdShape, oneOf } from '../../../kernel/operations/shapes.ts';

export const Drift = Type.Object(
  {
    scannerId: ObjectIdShape,
    scannerName: Type.String({ examples: ['Trend Pulse'] }),
    accessId: nullable(ObjectIdShape),
    userId: nullable(ObjectIdShape),
    chartingUsername: Type.String({ examples: ['ada_trades'] }),
    kind: oneOf(['missing', 'unexpected', 'stranger'], {
      description:
        '`missing`: active on the platform but absent at the charting platform. `unexpected`: revoked on the platform but present at the charting platform; it stays unless it is taken over. `stranger`: present at the charting platform but unknown to the platform; never removed',
    }),
    mended: Type.Boolean({ description: 'Whether the repair was started' }),
  },
  { $id: 'IndicatorDrift' },
);
export type Drift = Static<typeof Drift>;

export const Report = Type.Object(
  {
    checked: Type.Integer({ description: 'Number of grants compared' }),
    granted: Type.Integer({ description: 'Number of grants that are restored' }),
    revoked: Type.Integer({
      description: 'Always 0: a comparison removes nothing, since what is there was not made by us',
    }),
    drift: Type.Array(Drift, { description: 'The differences, at most 1,000' }),
    complete: Type.Boolean({ description: 'Whether every indicator was compared and repaired' }),
    problems: Type.Array(Type.String(), { description: 'Why the comparison is incomplete' }),
  },
  { $id: 'IndicatorComparison' },
);
export type Report = Static<typeof Report>;

export const ChartingAccount = Type.Object(
  {
    configured: Type.Boolean(),
    state: oneOf(['ok', 'unavailable', 'session-over', 'limited'], {
      description: '`ok`, or the reason why calls are paused',
    }),
    pausedSince: nullable(Type.Unsafe<Date>({ type: 'string', format: 'date-time' })),
    pausedUntil: nullable(Type.Unsafe<Date>({ type: 'string', format: 'date-time' })),
    lastSuccessAt: nullable(Type.Unsafe<Date>({ type: 'string', format: 'date-time' })),
    underWay: Type.Integer({ description: 'Number of pending grants and revocations' }),
    failed: Type.Integer({ description: 'Number of failed grants that require manual action' }),
  },
  { $id: 'ChartingAccount' },
);

export const CompareIndicatorAccessQuery = Type.Object({
  dryRun: Type.Optional(Type.Boolean({ description: 'Report differences without repairing them' })),
});
