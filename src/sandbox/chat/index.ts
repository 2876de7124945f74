import type { FastifyInstance } from 'fastify';
import { addFilledPage, type Prefill } from '../page.ts';

/** Adds a small chat page at `/chat`, to try the live channel in two windows. */
export const addChat = (app: FastifyInstance, api: () => Prefill): void =>
  addFilledPage(app, { path: '/chat', beside: import.meta.url, scripts: ['page.js'], api });
