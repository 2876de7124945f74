import { type Static, Type } from 'typebox';
import { nullable, ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';

export const Drift = Type.Object(
  {
    scannerId: ObjectIdShape,
    scannerName: Type.String({ examples: ['Trend Pulse'] }),
    accessId: nullable(ObjectIdShape),
    userId: nullable(ObjectIdShape),
    chartingUsername: Type.String({ examples: ['ada_trades'] }),
    kind: oneOf(['missing', 'unexpected', 'stranger'], {
      description:
        '`missing`: active here and not there. `unexpected`: revoked here and still there. `stranger`: there, and unknown here; never removed',
    }),
    mended: Type.Boolean({ description: 'Whether the grant was set in motion' }),
  },
  { $id: 'IndicatorDrift' },
);
export type Drift = Static<typeof Drift>;

export const Report = Type.Object(
  {
    checked: Type.Integer({ description: 'Grants compared' }),
    granted: Type.Integer({ description: 'Grants that are made again' }),
    revoked: Type.Integer({ description: 'Grants that are removed again' }),
    drift: Type.Array(Drift, { description: 'What differs, at most 1,000' }),
    complete: Type.Boolean({ description: 'Whether every indicator was compared and mended' }),
    problems: Type.Array(Type.String(), { description: 'Why not' }),
  },
  { $id: 'IndicatorComparison' },
);
export type Report = Static<typeof Report>;

export const ChartingAccount = Type.Object(
  {
    configured: Type.Boolean(),
    state: oneOf(['ok', 'unavailable', 'session-over', 'limited'], {
      description: 'Why it is paused, or `ok`',
    }),
    pausedSince: nullable(Type.Unsafe<Date>({ type: 'string', format: 'date-time' })),
    pausedUntil: nullable(Type.Unsafe<Date>({ type: 'string', format: 'date-time' })),
    lastSuccessAt: nullable(Type.Unsafe<Date>({ type: 'string', format: 'date-time' })),
    underWay: Type.Integer({ description: 'Grants and revocations that are still to be carried out' }),
    failed: Type.Integer({ description: 'Grants that need a person' }),
  },
  { $id: 'ChartingAccount' },
);

export const CompareIndicatorAccessQuery = Type.Object({
  dryRun: Type.Optional(Type.Boolean({ description: 'Reports without mending anything' })),
});
