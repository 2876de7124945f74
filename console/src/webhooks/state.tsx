import type { WebhookDelivery, WebhookEndpoint } from '@platform-api/sdk';
import { Tag } from '../parts/values.tsx';

type State = Pick<WebhookEndpoint, 'enabled' | 'failingSince' | 'disabledReason'>;

/** Whether an endpoint is enabled, and whether its deliveries succeed. */
export const EndpointTag = ({ of: { enabled, failingSince, disabledReason } }: { of: State }) => {
  if (!enabled) return <Tag tone={disabledReason ? 'bad' : 'none'}>disabled</Tag>;
  return <Tag tone={failingSince ? 'bad' : 'ok'}>{failingSince ? 'failing' : 'enabled'}</Tag>;
};

const TONES = { pending: 'warn', delivered: 'none', failed: 'bad' } as const;

export const DeliveryTag = ({ status }: Pick<WebhookDelivery, 'status'>) => (
  <Tag tone={TONES[status]}>{status}</Tag>
);
