import type { UserOverview } from '@platform-api/sdk';

/** Whom acts are about, as far as they need it. */
export interface Whom {
  member: UserOverview['user'];
  wallet: UserOverview['wallet'];
  mute: UserOverview['mute'];
}
