import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, Type } from 'typebox';
import { Failure, type FieldFault } from '../kernel/failures.ts';
import { oneOf } from '../kernel/operations/shapes.ts';
import { unnamedFields } from '../kernel/operations/unnamed-fields.ts';
import { bodyCheck } from '../kernel/operations/validation.ts';

/** The longest time of a timer. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

interface Taken<Body> {
  params: Record<string, string>;
  body: Body;
}

/** The body of a control that sets a mode and nothing else. */
export const modeOf = <const Mode extends string>(modes: readonly Mode[]) =>
  Type.Object({ mode: oneOf(modes) });

/** Answers 422, or another status, with a sentence for people. */
export const refuse = (reply: FastifyReply, status: 404 | 409 | 422, error: string): FastifyReply =>
  reply.code(status).send({ error });

/**
 * Returns the handler of a control. A body with unknown fields or wrong values is refused with 422 and a sentence for each:
 * a mistyped mode would otherwise look like a fault of the platform.
 */
export function taking<Shape extends TObject>(
  shape: Shape,
  handle: (taken: Taken<Static<Shape>>, reply: FastifyReply) => unknown,
) {
  const check = bodyCheck(shape);
  const unknownIn = unnamedFields(shape);
  return async ({ body, params }: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const faults: FieldFault[] = (unknownIn(body) ?? []).map((field) => ({ field, message: 'is unknown' }));
    let checked: unknown;
    try {
      checked = check(body);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      faults.push(...(error.details.errors ?? []));
    }
    if (faults.length > 0)
      return refuse(reply, 422, faults.map(({ field, message }) => `"${field}" ${message}.`).join(' '));
    return handle({ params: params as Record<string, string>, body: checked as Static<Shape> }, reply);
  };
}
