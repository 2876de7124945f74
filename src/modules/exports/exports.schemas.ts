import { Type } from 'typebox';
import { DateTime, HttpUrl, nullable, ObjectIdShape, oneOf } from '../../kernel/operations/shapes.ts';
import { EXPORT_STATUSES } from './exports.model.ts';

export const ExportBegun = Type.Object(
  { id: ObjectIdShape, status: oneOf(['pending']) },
  { $id: 'ExportBegun' },
);

export const ExportShape = Type.Object(
  {
    id: ObjectIdShape,
    status: oneOf(EXPORT_STATUSES, { examples: ['ready'] }),
    createdAt: DateTime,
    readyAt: nullable(DateTime),
    expiresAt: nullable(DateTime),
    url: nullable(HttpUrl),
  },
  { $id: 'DataExport' },
);
