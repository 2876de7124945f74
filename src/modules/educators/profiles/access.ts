import type { Access } from '../../../kernel/operations/access.ts';
import type { UserCaller } from '../../../kernel/operations/callers.ts';
import { educator, notEducator } from '../../identity/contract.ts';

/**
 * A member with the permission `educator`; no one else, including administrators, may publish on an educator's behalf.
 */
export const educatorOnly: Access<UserCaller> = {
  ...educator,
  name: 'educator',
  audience: ['educator'],
  allows: (caller) => caller.kind === 'user' && caller.permissions.includes('educator'),
  refused: notEducator,
};
