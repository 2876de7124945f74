import { counting, exporting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const mediaRecords: MemberRecords[] = [
  {
    name: 'uploads',
    isErased: false,
    tables: ['media.upload', 'media.video'],
    count: counting('media.count-videos', 'media.video where owner_id = $1'),
    exported: [
      exporting('uploads', {
        about: 'Videos that you have uploaded lately, as you sent them',
        columns: 'id, subject_id as lesson_id, file_name, content_type, bytes, state, created_at',
        from: 'media.upload where owner_id = $1',
      }),
      exporting('videos', {
        about: 'The videos of your lessons',
        columns: `id, subject_id as lesson_id, source_bytes as bytes, status, duration_ms, renditions, completed_at,
          replaced_at, created_at`,
        from: 'media.video where owner_id = $1',
      }),
      exporting('files', {
        about: 'Pictures and clips that you have uploaded for others to see',
        columns: 'key as name, bytes, is_used, created_at',
        from: 'kernel.public_file where owner_id = $1',
        key: 'key',
        areFew: true,
      }),
    ],
  },
];
