import { counting, exporting, type MemberRecords } from '../../kernel/records/member-records.ts';
import { TABLES_OF_A_USER } from './users/users.store.ts';

export const identityRecords: MemberRecords[] = [
  {
    name: 'account',
    isErased: true,
    tables: ['identity.user', ...TABLES_OF_A_USER.map((table) => `identity.${table}`)],
    count: counting('identity.count-account', 'identity.user where id = $1 and deleted_at is null'),
    exported: [
      exporting('profile', {
        about: 'Your account',
        columns: `id, email, email_verified, username, first_name, last_name, customer_id, permissions, educator as details, is_active,
          has_factor, time_zone, locale, username_changes, created_at, updated_at`,
        from: 'identity.user where id = $1 and deleted_at is null',
      }),
      exporting('former-names', {
        about: 'Your former names and addresses, and when you had them',
        columns: 'since, until, first_name, last_name, username, email',
        from: 'identity.former_name where user_id = $1',
        key: 'number::text',
        areFew: true,
      }),
      exporting('authenticator-apps', {
        about: 'Your authenticator app',
        columns: `created_at, confirmed_at`,
        from: 'identity.authenticator where user_id = $1',
        key: 'user_id',
      }),
      exporting('passkeys', {
        about: 'Your passkeys',
        columns: `id, name, transports, backed_up, created_at, last_used_at`,
        from: 'identity.passkey where user_id = $1',
      }),
    ],
  },
  {
    name: 'sessions',
    isErased: true,
    tables: ['identity.session', 'identity.sent_keys'],
    count: counting('identity.count-sessions', 'identity.session where user_id = $1'),
    exported: [
      exporting('sessions', {
        about: 'Where you have signed in',
        columns: `id, platform, device, user_agent, address, method, created_at, last_used_at, ended_at, ended_because`,
        from: 'identity.session where user_id = $1',
        areFew: true,
      }),
      exporting('known-places', {
        about: 'The devices and ranges of addresses from which your sign-ins are not told to you',
        columns: 'kind, name, seen_at',
        from: 'identity.known_place where user_id = $1',
        key: `kind || ' ' || name`,
        areFew: true,
      }),
    ],
  },
  {
    name: 'purchases',
    isErased: true,
    tables: ['identity.purchase'],
    count: counting('identity.count-purchases', 'identity.purchase where user_id = $1'),
    exported: [
      exporting('purchases', {
        about: 'What you have bought, as far as it opens client platforms',
        wordsOfOthers: ['productName'],
        columns: `id, sku, product_name, last_purchased_date, created_at`,
        from: 'identity.purchase where user_id = $1',
      }),
    ],
  },
];
