import type { UserOverview } from '@platform-api/sdk';

/** The member that an action is about; only the fields that actions need. */
export interface TargetMember {
  member: UserOverview['user'];
  wallet: UserOverview['wallet'];
  mute: UserOverview['mute'];
}
