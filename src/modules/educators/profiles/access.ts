import type { Access } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { educator, notEducator } from '../../identity/contract.ts';

/** A member with the permission `educator`: nobody else, administrators included, publishes on their behalf. */
export const educatorOnly: Access<UserCaller> = {
  ...educator,
  name: 'educator',
  audience: ['educator'],
  allows: (caller) => caller.kind === 'user' && caller.permissions.includes('educator'),
  refused: notEducator,
};
