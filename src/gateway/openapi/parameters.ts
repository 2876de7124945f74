import type { TSchema } from 'typebox';
import type { Operation } from '../../kernel/operations/operation.ts';
import { IDEMPOTENCY_MS } from '../../kernel/records/idempotency.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { type Json, pascalCase, type schemaComponents } from './schemas.ts';

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `A unique text that you choose for each operation you want performed. Within ${IDEMPOTENCY_MS / HOUR_MS} hours, repeating the same request with the same key has no further effect and returns the same response.`,
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    examples: ['a5f2e1c0-7b1d-4a51-9d7e-3f1f0f6f2b11'],
  },
};

/** Collects the parameters of all operations: one that several operations have in the same form is a component. */
export function parameterComponents(
  operations: Operation[],
  schemas: Pick<ReturnType<typeof schemaComponents>, 'schema'>,
) {
  const counts = new Map<string, number>();
  for (const operation of operations)
    for (const parameter of parametersOf(operation)) {
      const text = JSON.stringify(parameter);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  const components: Record<string, { text: string; parameter: Json }> = {};

  function parametersOf({ params, query, idempotent }: Operation): Json[] {
    return [
      ...propertiesOf(params, 'path'),
      ...propertiesOf(query, 'query'),
      ...(idempotent ? [IDEMPOTENCY_KEY] : []),
    ];
  }

  function propertiesOf(shape: TSchema | undefined, place: 'path' | 'query'): Json[] {
    const { properties = {}, required = [] } = (shape ?? {}) as {
      properties?: Record<string, Json>;
      required?: string[];
    };
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: place,
      ...(place === 'path' || (required.includes(name) && !('default' in schema)) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      // A property of a shape is a shape, but its type is only known as JSON.
      schema: schemas.schema(schema as unknown as TSchema),
    }));
  }

  /** Returns a reference to a parameter, or the parameter itself if its name stands for another form of it. */
  function shared(parameter: Json): Json {
    const text = JSON.stringify(parameter);
    if ((counts.get(text) ?? 0) < 2) return parameter;
    const name = pascalCase(`${parameter.name} ${parameter.in === 'query' ? '' : parameter.in}`);
    components[name] ??= { text, parameter };
    return components[name].text === text ? { $ref: `#/components/parameters/${name}` } : parameter;
  }

  return {
    of: (operation: Operation): Json[] => parametersOf(operation).map(shared),
    all: (): Json =>
      Object.fromEntries(
        Object.entries(components)
          .map(([name, { parameter }]) => [name, parameter] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
  };
}
