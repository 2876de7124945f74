import type { HttpResponse } from './host.ts';
import type { Answer } from './operation.ts';

/** Reads the response of an operation that returns a table as CSV on request. */
export const readCsv = (text: string, { status, headers }: HttpResponse): Answer | undefined =>
  status < 300 && headers.get('content-type')?.startsWith('text/csv')
    ? {
        success: true,
        status,
        message: 'OK',
        data: text,
        meta: { timestamp: '', version: '' },
        isReplayed: false,
      }
    : undefined;
