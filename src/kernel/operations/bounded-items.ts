import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

/** Maximum number of faults reported to a caller. */
export const MAX_FAULTS = 100;

type JsonObject = Record<string, unknown>;
type ItemsCheck = {
  (items: unknown[], context?: { instancePath: string }): boolean;
  errors?: Partial<ErrorObject>[];
};

/**
 * Returns the schema with `items` replaced by `boundedItems`. With `allErrors`, Ajv reports every fault of every item,
 * so an array of half a million invalid items would cost seconds and produce a response of megabytes.
 */
export function withBoundedItems(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withBoundedItems);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) copy[key] = withBoundedItems(value);
  if (!isArrayShape(copy)) return copy;
  const { items, ...rest } = copy;
  return { ...rest, boundedItems: items };
}

const isArrayShape = ({ type, items }: JsonObject): boolean =>
  typeof items === 'object' && (type === 'array' || (Array.isArray(type) && type.includes('array')));

/**
 * Adds the keyword: skips the items of an array that is too long, and stops checking items at {@link MAX_FAULTS} faulty
 * fields.
 */
export function addBoundedItems(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: 'boundedItems',
    type: 'array',
    modifying: true,
    compile: (items: object, { maxItems = Number.POSITIVE_INFINITY }) =>
      itemsCheck(ajv.compile(items), maxItems as number),
  });
}

function itemsCheck(checkItem: ValidateFunction, maxItems: number): ItemsCheck {
  const check: ItemsCheck = (items, { instancePath } = { instancePath: '' }) => {
    // `maxItems` itself reports the length.
    if (items.length > maxItems) return true;
    const errors: ErrorObject[] = [];
    // Of one field several faults may be found, of which one is reported.
    const fields = new Set<string>();
    for (let place = 0; place < items.length && fields.size < MAX_FAULTS; place++) {
      if (checkItem(items[place])) continue;
      for (const error of checkItem.errors ?? []) {
        const path = `${instancePath}/${place}${error.instancePath}`;
        errors.push({ ...error, instancePath: path });
        fields.add(`${path} ${error.params.missingProperty ?? ''}`);
      }
    }
    check.errors = errors;
    return errors.length === 0;
  };
  return check;
}
