import { type Json, nameOf } from './description.ts';

/** Defines how the types of a file name the schemas and fields that they refer to. */
export interface Naming {
  schema(name: string): string;
  field(name: string): string;
}

/** Writes a schema as a TypeScript type. */
export function typeOf(schema: Json, naming: Naming, indent = ''): string {
  if (schema.$ref) return naming.schema(nameOf(schema.$ref));
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((one: Json) => typeOf(one, naming, indent)).join(' | ');
  if (Array.isArray(schema.type))
    return schema.type.map((type: string) => typeOf({ ...schema, type }, naming, indent)).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return listOf(schema.items ?? {}, naming, indent);
    case 'object':
      return objectType(schema, naming, indent);
    default:
      return 'unknown';
  }
}

function objectType(schema: Json, naming: Naming, indent: string): string {
  const { properties = {}, additionalProperties } = schema;
  const fields = Object.entries(properties as Json);
  const isOpen = additionalProperties === true;
  if (fields.length > 0) return fieldsOf(schema, fields, naming, indent, isOpen);
  if (additionalProperties && !isOpen)
    return `Record<string, ${typeOf(additionalProperties, naming, indent)}>`;
  return schema.properties && !isOpen ? 'Record<string, never>' : 'Record<string, unknown>';
}

function fieldsOf(
  schema: Json,
  fields: [string, Json][],
  naming: Naming,
  indent: string,
  isOpen: boolean,
): string {
  const required = new Set(schema.required ?? []);
  const inner = `${indent}  `;
  const lines = fields.map(([name, one]) => {
    const mark = required.has(name) ? '' : '?';
    return `${comment(aboutOf(one), inner)}${inner}${key(naming.field(name))}${mark}: ${typeOf(one, naming, inner)};\n`;
  });
  const others = isOpen ? `${inner}[name: string]: unknown;\n` : '';
  return `{\n${lines.join('')}${others}${indent}}`;
}

/** Returns the docstring of a field; fields of ids have none, because their names are clear. */
const aboutOf = ({ description = '' }: Json): string =>
  description.startsWith('An object identifier') ? '' : description;

/** Writes a named type: an interface where it can be one, since editors show its name. */
export function declarationOf(name: string, schema: Json, naming: Naming): string {
  const type = typeOf(schema, naming);
  const about = comment(schema.description, '');
  return type.startsWith('{') && type.endsWith('}')
    ? `${about}export interface ${name} ${type}\n`
    : `${about}export type ${name} = ${type};\n`;
}

/** Writes a docstring with a line for each text. */
export function comment(text: string | undefined, indent: string): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);

function listOf(items: Json, naming: Naming, indent: string): string {
  const type = typeOf(items, naming, indent);
  const isUnion = items.enum ?? items.anyOf ?? items.oneOf ?? Array.isArray(items.type);
  return isUnion ? `(${type})[]` : `${type}[]`;
}

const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);
