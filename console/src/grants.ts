import type { IndicatorAccess } from '@platform-api/sdk';
import type { Tone } from './parts/values.tsx';

export const grantTone = (status: IndicatorAccess['status']): Tone =>
  status === 'failed' ? 'bad' : status.startsWith('pending') ? 'warn' : status === 'active' ? 'ok' : 'none';
