import { type Static, Type } from 'typebox';
import { asRead } from '../../../kernel/operations/lost-updates.ts';
import {
  DateTime,
  nameText,
  nullable,
  ObjectIdShape,
  optionalText,
} from '../../../kernel/operations/shapes.ts';

const Name = nameText(200, { examples: ['Trend Pulse'] });
const Description = optionalText(5_000, { examples: ['Marks where a trend begins.'] });
const PineId = Type.String({
  pattern: '^PUB;[0-9A-Za-z_-]{1,128}$',
  description: 'The script at the charting platform. An indicator without one is never granted automatically',
  examples: ['PUB;3a1f6c0d9b2e4f58a7c6d5e4f3b2a190'],
});
const ChartingUrl = Type.String({ format: 'http-url', maxLength: 2048 });
const SortOrder = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, examples: [10] });

export const Indicator = Type.Object(
  {
    id: ObjectIdShape,
    name: Name,
    description: Description,
    pineId: nullable(PineId),
    chartingUrl: nullable(ChartingUrl),
    isActive: Type.Boolean(),
    sortOrder: SortOrder,
    activeAccessCount: Type.Integer({ description: 'Number of members who have access now', examples: [42] }),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { $id: 'Indicator' },
);

const optionalFields = {
  description: Type.Optional(Description),
  pineId: Type.Optional(nullable(PineId)),
  chartingUrl: Type.Optional(nullable(ChartingUrl)),
  isActive: Type.Optional(Type.Boolean()),
  sortOrder: Type.Optional(SortOrder),
};
export const IndicatorInBody = Type.Object({ name: Name, ...optionalFields });
export type IndicatorDraft = Static<typeof IndicatorInBody>;
export const IndicatorChangesInBody = Type.Object({
  name: Type.Optional(Name),
  ...optionalFields,
  ...asRead,
});
export type IndicatorChanges = Static<typeof IndicatorChangesInBody>;

export const ListIndicatorsQuery = Type.Object({
  includeInactive: Type.Optional(
    Type.Boolean({
      description: 'Include retired indicators; ignored unless the caller is an administrator',
    }),
  ),
});
