import { type Static, Type } from 'typebox';
import { failure } from '../../kernel/failures.ts';
import { bulkFailure, bulkIds } from '../../kernel/operations/bulk.ts';
import { bodyId } from '../../kernel/operations/ids.ts';
import { momentQuery } from '../../kernel/operations/moments.ts';
import {
  cursorQuery,
  DateTime,
  nameText,
  nullable,
  ObjectIdShape,
  oneOf,
  optionalText,
} from '../../kernel/operations/shapes.ts';
import { MemberShape } from '../identity/contract.ts';
import { REQUEST_STATUSES } from './requests.model.ts';

export const RequestStatus = oneOf(REQUEST_STATUSES, { examples: ['pending'] });

export const chartingIdRequired = failure(
  400,
  'CHARTING_ID_REQUIRED',
  'A request for a scanner product needs a chartingId',
);

export const RequestInBody = Type.Object({
  productId: bodyId('product'),
  fullName: nameText(200, { examples: ['Ada Lovelace'] }),
  email: Type.String({ format: 'mailbox', maxLength: 320, examples: ['ada@example.com'] }),
  chartingId: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The username at the charting platform; required for scanner products',
      examples: ['ada_trades'],
    }),
  ),
  answers: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      maxBytes: 32 * 1024,
      description: 'Answers to the questions of the product, by question key',
      examples: [{ how_long_have_you_traded: 'Two years' }],
    }),
  ),
});
export type RequestDraft = Static<typeof RequestInBody>;

const Answer = Type.Object(
  {
    key: Type.String({ examples: ['how_long_have_you_traded'] }),
    label: Type.String({
      description: 'The label at the time of the request',
      examples: ['How long have you traded?'],
    }),
    value: Type.Unsafe<string | number | boolean | string[]>({ description: 'The answer that was given' }),
  },
  { $id: 'AccessRequestAnswer' },
);

const AccessRequest = Type.Object(
  {
    id: ObjectIdShape,
    productId: ObjectIdShape,
    userId: ObjectIdShape,
    fullName: Type.String({ examples: ['Ada Lovelace'] }),
    email: Type.String({ description: 'The e-mail that the member entered', examples: ['ada@example.com'] }),
    chartingId: nullable(Type.String({ examples: ['ada_trades'] })),
    answers: Type.Array(Answer),
    status: RequestStatus,
    submissions: Type.Integer({ description: 'Number of times it was submitted', examples: [1] }),
    reason: nullable(Type.String({ description: 'The reason for the decision, if one was given' })),
    decidedBy: nullable(ObjectIdShape),
    decidedAt: nullable(DateTime),
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  { $id: 'AccessRequest' },
);

export const QueuedRequest = Type.Object(
  {
    ...AccessRequest.properties,
    productName: Type.String({ examples: ['Trend Pulse for a year'] }),
    user: MemberShape,
    decider: { ...nullable(MemberShape), description: 'Who decided it' },
    accountEmail: nullable(
      Type.String({
        description: 'The e-mail of the account that gets the access; it may differ from the one entered',
        examples: ['ada@example.com'],
      }),
    ),
  },
  { $id: 'QueuedAccessRequest' },
);
export type QueuedRequest = Static<typeof QueuedRequest>;

const { decidedBy: _, ...asMembersSee } = AccessRequest.properties;

/** The answer to a member's submission: without who decided an earlier one. */
export const SubmittedAccessRequest = Type.Object(asMembersSee, { $id: 'SubmittedAccessRequest' });

/** A request as the member who made it sees it. */
export const OwnRequest = Type.Object(
  { ...asMembersSee, productName: QueuedRequest.properties.productName },
  { $id: 'OwnAccessRequest' },
);

/** Number of requests that the overview of a user shows. */
export const SHOWN_REQUESTS = 20;

export const OverviewRequests = Type.Array(
  Type.Object({ ...AccessRequest.properties, productName: QueuedRequest.properties.productName }),
  { description: `At most ${SHOWN_REQUESTS}, the last changed first` },
);

export const DecisionInBody = Type.Object({
  status: RequestStatus,
  reason: Type.Optional(optionalText(500, { description: 'Shown to the member' })),
  expectedStatus: Type.Optional(
    oneOf(['pending', 'approved', 'denied'], {
      description:
        'What the request is where it was looked at; if it has been decided meanwhile, it stays as it is',
      examples: ['pending'],
    }),
  ),
});
export type Decision = Static<typeof DecisionInBody>;

export const DecidedRequest = Type.Object(
  {
    ...AccessRequest.properties,
    entitlementWarning: Type.Optional(
      Type.String({ description: 'Why the member has no access yet although the decision is saved' }),
    ),
  },
  { $id: 'DecidedAccessRequest' },
);
export type DecidedRequest = Static<typeof DecidedRequest>;

export const DecisionsInBody = Type.Object({
  ids: bulkIds(bodyId('request')),
  ...DecisionInBody.properties,
});

export const BulkDecision = Type.Object(
  {
    id: ObjectIdShape,
    status: nullable(RequestStatus),
    entitlementWarning: nullable(
      Type.String({ description: 'Why the member has no access yet although the decision is saved' }),
    ),
    ...bulkFailure,
  },
  { $id: 'BulkDecision' },
);

export const GetAccessRequestStatusQuery = Type.Object({
  email: Type.String({ maxLength: 320, examples: ['ada@example.com'] }),
});

export const ListOwnRequestsQuery = Type.Object({
  ...cursorQuery(),
  productId: Type.Optional(bodyId('product')),
});

export const ListAccessRequestsQuery = Type.Object({
  ...momentQuery(['updatedAt', 'id'], { limit: 50 }),
  status: Type.Optional(RequestStatus),
  productId: Type.Optional(bodyId('product')),
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Part of a name, an e-mail or a charting id; the beginning of one if it is shorter than three characters',
    }),
  ),
  format: Type.Optional(oneOf(['json', 'csv'])),
});
