import type { Page } from '../http/pages.ts';
import type { Metrics } from '../metrics.ts';

export const metricsPage = (metrics: Metrics): Page => ({
  path: '/metrics',
  answer: async (_request, reply) => reply.type(metrics.contentType).send(await metrics.text()),
});
