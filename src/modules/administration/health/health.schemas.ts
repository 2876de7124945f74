import { Type } from 'typebox';
import { DateTime, InstantText, nullable, oneOf, readableText } from '../../../kernel/operations/shapes.ts';

const Process = Type.Object(
  {
    id: Type.String({ examples: ['api-1-5f3a9c1e'] }),
    role: oneOf(['all', 'api', 'live', 'worker']),
    version: Type.String({ examples: ['1.4.0'] }),
    startedAt: DateTime,
    lagMs: Type.Number({
      description: 'Delay of the event loop in the last seconds, 99th percentile',
      examples: [3.2],
    }),
    memoryBytes: Type.Integer({ description: 'Resident memory', examples: [210_000_000] }),
    draining: Type.Boolean({ description: 'Whether it is about to stop' }),
    degraded: Type.Array(Type.String({ examples: ['redis'] }), {
      description: 'Optional dependencies that it cannot reach',
    }),
  },
  { $id: 'Process' },
);

const System = Type.Object(
  {
    system: Type.String({ examples: ['payments'] }),
    state: oneOf(['up', 'down', 'unused', 'off'], {
      description:
        'How the last call ended; `unused` before the first one, `off` if the system is not configured',
    }),
    since: nullable(DateTime),
    lastError: nullable(Type.String({ examples: ['The provider answered 503'] })),
    lastErrorAt: nullable(DateTime),
  },
  { $id: 'ExternalSystem' },
);

const ShownSetting = Type.Object(
  {
    name: Type.String({ description: 'The environment variable', examples: ['PUBLIC_URL'] }),
    value: nullable(
      Type.String({
        description: 'Null if it is not set; secrets are masked',
        examples: ['https://api.example.com'],
      }),
    ),
  },
  { $id: 'ShownSetting' },
);

const backupTexts = {
  at: { description: 'When the backup was taken' },
  head: { description: 'The head of the ledger that it contains', examples: ['9f86d081884c7d65'] },
  place: { description: 'Where it is kept', examples: ['s3://backups/2026-11-23'] },
};

const backup = {
  at: { ...DateTime, ...backupTexts.at },
  head: Type.String(backupTexts.head),
  place: Type.String(backupTexts.place),
};

export const BackupShape = Type.Object(backup, { $id: 'Backup' });

export const RecordBackupBody = Type.Object({
  at: { ...InstantText, ...backupTexts.at },
  head: readableText(200, backupTexts.head),
  place: readableText(500, backupTexts.place),
});

export const HealthShape = Type.Object(
  {
    processes: Type.Array(Process),
    systems: Type.Array(System),
    settings: Type.Array(ShownSetting),
    backup: nullable(
      Type.Object(
        { ...backup, ageSeconds: Type.Integer({ examples: [3_600] }) },
        { description: 'The newest backup; null if none was reported' },
      ),
    ),
  },
  { $id: 'InstallationHealth' },
);
