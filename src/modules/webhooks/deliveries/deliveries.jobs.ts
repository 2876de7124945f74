import { Type } from 'typebox';
import { jobKind } from '../../../kernel/messaging/jobs.ts';

/** Continues a replay of more deliveries than fit one transaction. */
export const replayMore = jobKind('webhooks.replay-more', {
  version: 1,
  data: Type.Object({
    endpoint: Type.Integer(),
    fromSequence: Type.Integer(),
    toSequence: Type.Integer(),
    since: Type.Optional(Type.String()),
    until: Type.Optional(Type.String()),
  }),
});

/** Deletes the deliveries of an endpoint that was deleted. */
export const forgetDeliveries = jobKind('webhooks.forget-deliveries', {
  version: 1,
  data: Type.Object({ endpoint: Type.Integer() }),
});
