import type { ObjectId } from '../../../kernel/ids.ts';

export interface User {
  id: ObjectId;
  email: string;
  username: string;
  firstName: string;
  lastName: string;
  customerId: string | null;
  permissions: string[];
  educator: Record<string, unknown>;
  isActive: boolean;
  timeZone: string | null;
  locale: string | null;
  /** When the user last changed their own username, oldest first. */
  usernameChanges: Date[];
  /** Incremented to prevent credentials verified earlier from opening a session. */
  credentialVersion: number;
  /** Incremented with each new password. */
  passwordVersion: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface UserFilter {
  /** Part of a name, e-mail or username, case-insensitive; or a complete id. */
  search?: string;
  /** Users who hold at least one of these. */
  permissions?: string[];
}
