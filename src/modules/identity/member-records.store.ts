import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const identityRecords: MemberRecords[] = [
  {
    name: 'account',
    isErased: true,
    count: counting('identity.count-account', 'identity.user where id = $1 and deleted_at is null'),
  },
  {
    name: 'sessions',
    isErased: true,
    count: counting('identity.count-sessions', 'identity.session where user_id = $1'),
  },
  {
    name: 'purchases',
    isErased: true,
    count: counting('identity.count-purchases', 'identity.purchase where user_id = $1'),
  },
];
