import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';
import { TABLES_OF_A_USER } from './users/users.store.ts';

export const identityRecords: MemberRecords[] = [
  {
    name: 'account',
    isErased: true,
    tables: ['identity.user', ...TABLES_OF_A_USER.map((table) => `identity.${table}`)],
    count: counting('identity.count-account', 'identity.user where id = $1 and deleted_at is null'),
  },
  {
    name: 'sessions',
    isErased: true,
    tables: ['identity.session'],
    count: counting('identity.count-sessions', 'identity.session where user_id = $1'),
  },
  {
    name: 'purchases',
    isErased: true,
    tables: ['identity.purchase'],
    count: counting('identity.count-purchases', 'identity.purchase where user_id = $1'),
  },
];
