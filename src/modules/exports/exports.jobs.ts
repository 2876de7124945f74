import { Type } from 'typebox';
import { jobKind } from '../../kernel/messaging/jobs.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';

/** Creates the file of an export. */
export const makeExport = jobKind('exports.make', {
  version: 1,
  data: Type.Object({ exportId: ObjectIdShape }),
});

/** Removes files that nobody may download any longer. */
export const sweepExports = jobKind('exports.sweep');
