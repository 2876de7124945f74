import { type Static, Type } from 'typebox';
import { bodyId } from '../../kernel/operations/ids.ts';
import { asRead } from '../../kernel/operations/lost-updates.ts';
import {
  DateTime,
  HttpUrl,
  nameText,
  nullable,
  ObjectIdShape,
  oneOf,
  optionalText,
  readableText,
} from '../../kernel/operations/shapes.ts';
import { CTA_TYPES, PRODUCT_TYPES, QUESTION_TYPES } from './products.model.ts';

const MAX_QUESTIONS = 25;
const MAX_OPTIONS = 20;

const Name = nameText(200, { examples: ['Trend Pulse for a year'] });
const Description = optionalText(10_000, { examples: ['Everything that Trend Pulse can do.'] });
const SortOrder = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, examples: [10] });
const ProductType = oneOf(PRODUCT_TYPES, { examples: ['scanner'] });
const CtaType = oneOf(CTA_TYPES, { examples: ['form'] });
const QuestionType = oneOf(QUESTION_TYPES, { examples: ['text'] });
const Label = readableText(200, { examples: ['How long have you traded?'] });
const Option = readableText(100);

const Question = Type.Object(
  {
    key: Type.String({ examples: ['how_long_have_you_traded'] }),
    label: Label,
    type: QuestionType,
    required: Type.Boolean(),
    options: Type.Optional(Type.Array(Option)),
  },
  { $id: 'ProductQuestion' },
);

const QuestionInBody = Type.Object(
  {
    key: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The key of an existing question, so that it is kept when its label changes',
      }),
    ),
    label: Label,
    type: Type.Optional(QuestionType),
    required: Type.Optional(Type.Boolean()),
    options: Type.Optional(Type.Array(Option, { maxItems: MAX_OPTIONS })),
  },
  { $id: 'ProductQuestionDraft' },
);
export type QuestionDraft = Static<typeof QuestionInBody>;

export const Product = Type.Object(
  {
    id: ObjectIdShape,
    name: Name,
    description: Description,
    imageUrl: nullable(HttpUrl),
    productType: ProductType,
    scannerId: nullable(ObjectIdShape),
    ctaType: CtaType,
    ctaUrl: nullable(HttpUrl),
    requestFields: Type.Array(Question),
    isActive: Type.Boolean(),
    sortOrder: SortOrder,
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { $id: 'Product' },
);

const optionalFields = {
  description: Type.Optional(Description),
  imageUrl: Type.Optional(nullable(HttpUrl)),
  scannerId: Type.Optional(nullable(bodyId('indicator'))),
  ctaType: Type.Optional(CtaType),
  ctaUrl: Type.Optional(nullable(HttpUrl)),
  requestFields: Type.Optional(
    Type.Array(QuestionInBody, {
      maxItems: MAX_QUESTIONS,
      description: 'Replaces all questions. If left out, the questions are kept',
    }),
  ),
  isActive: Type.Optional(Type.Boolean()),
  sortOrder: Type.Optional(SortOrder),
};
export const ProductInBody = Type.Object({ name: Name, productType: ProductType, ...optionalFields });
export type ProductDraft = Static<typeof ProductInBody>;
export const ProductChangesInBody = Type.Object({
  name: Type.Optional(Name),
  productType: Type.Optional(ProductType),
  ...optionalFields,
  ...asRead,
});
export type ProductChanges = Static<typeof ProductChangesInBody>;

export const ListProductsQuery = Type.Object({
  productType: Type.Optional(ProductType),
  includeInactive: Type.Optional(
    Type.Boolean({ deprecated: true, description: 'Has no effect: this list has active products only' }),
  ),
});
