import { integer, type Setting, type ValuesOf } from '../../kernel/settings.ts';

/** The settings of the live channel. */
export const realtimeSettings = {
  maxConnections: integer(
    'LIVE_CONNECTIONS',
    10_000,
    [1, 100_000],
    'Maximum number of signed-in WebSocket connections of a process; a fifth as many may be signing in besides',
  ),
  maxPerMember: integer(
    'LIVE_CONNECTIONS_PER_MEMBER',
    20,
    [1, 100_000],
    'Maximum number of WebSocket connections of a member to a process; a further one closes the oldest',
  ),
} satisfies Record<string, Setting<unknown>>;

export type RealtimeSettings = ValuesOf<typeof realtimeSettings>;
