import { EXPORTED_AT_ONCE, exportingBy, type MemberRecords } from '../../kernel/records/member-records.ts';

/** The instant in the cursor, as text: a Date would lose the microseconds. */
const AFTER = `coalesce(nullif(split_part($2, '|', 1), ''), '-infinity')::timestamptz`;

export const analyticsRecords: MemberRecords[] = [
  {
    name: 'trackedEvents',
    isErased: false,
    tables: ['analytics.person', 'analytics.candidate'],
    exported: [
      exportingBy('tracked-events', {
        about: 'What was tracked of your use, by your apps and by the platform',
        page: `select e.id, n.source, coalesce(e.own_name, n.name) as event_name, coalesce(e.own_type, n.type) as event_type,
            e.metadata, e.occurred_at, e.received_at, e.occurred_at || '|' || e.id as cursor
          from analytics.event e join analytics.name n on n.no = e.name
          where e.person = (select no from analytics.person where user_id = $1)
            and e.occurred_at >= ${AFTER} and (e.occurred_at, e.id) > (${AFTER}, split_part($2, '|', 2))
          order by e.occurred_at, e.id limit ${EXPORTED_AT_ONCE}`,
      }),
    ],
  },
];
