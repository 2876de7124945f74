import type { Trade } from '@platform-api/sdk';
import { Tag } from '../parts/values.tsx';

/** The state of a trade idea. */
export const StatusTag = ({ of }: { of: Trade['status'] }) => (
  <Tag tone={of === 'open' ? 'info' : 'none'}>{of}</Tag>
);
