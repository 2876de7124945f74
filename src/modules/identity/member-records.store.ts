import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const identityRecords: MemberRecords[] = [
  {
    name: 'account',
    isErased: true,
    tables: ['identity.user', 'identity.password', 'identity.password_reset', 'identity.funding_key'],
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
