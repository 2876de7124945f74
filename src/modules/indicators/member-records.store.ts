import { counting, exporting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const indicatorRecords: MemberRecords[] = [
  {
    name: 'indicatorAccess',
    isErased: true,
    tables: ['indicators.access', 'indicators.holder', 'indicators.webhook_event'],
    count: counting('indicators.count-access', 'indicators.access where user_id = $1'),
    exported: [
      exporting('indicator-access', {
        about: 'The indicators that you have or had access to',
        wordsOfOthers: ['name'],
        columns: `id, indicator_id, (select name from indicators.indicator where id = access.indicator_id) as name, handle,
          status, source, grace_ends_at, created_at, updated_at`,
        from: 'indicators.access where user_id = $1',
        areFew: true,
      }),
      exporting('charting-usernames', {
        about: 'Your usernames at the charting platform',
        columns: `saved_handle, request_handle`,
        from: 'indicators.holder where user_id = $1',
        key: 'user_id',
      }),
    ],
  },
];
