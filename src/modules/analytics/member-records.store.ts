import { EXPORTED_AT_ONCE, exportingBy, type MemberRecords } from '../../kernel/records/member-records.ts';

export const analyticsRecords: MemberRecords[] = [
  {
    name: 'trackedEvents',
    isErased: false,
    tables: ['analytics.person', 'analytics.candidate'],
    exported: [
      exportingBy('tracked-events', {
        about: 'What was tracked of your use, by your apps and by the platform',
        // The instant of the cursor is text: a Date would lose the microseconds.
        page: `select e.id, n.source, coalesce(e.own_name, n.name) as event_name, coalesce(e.own_type, n.type) as event_type,
            e.metadata, e.occurred_at, e.received_at, e.occurred_at || '|' || e.id as cursor
          from analytics.events_of((select no from analytics.person where user_id = $1),
              coalesce(nullif(split_part($2, '|', 1), ''), '-infinity')::timestamptz, split_part($2, '|', 2),
              ${EXPORTED_AT_ONCE}) e
            join analytics.name n on n.no = e.name
          order by e.occurred_at, e.id`,
      }),
    ],
  },
];
