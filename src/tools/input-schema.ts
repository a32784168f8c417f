import { type ZodType, z } from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * A tool's arguments as JSON Schema, which is what the model is told. Throws TypeError where there is none (a date, a
 * bigint) or where it is no object: called when a tool is defined, so it fails at start and not at the first message.
 */
export function inputSchemaOf(name: string, input: ZodType): JsonSchema {
  const schema = jsonSchemaOf(name, input);
  if (schema.type !== undefined && schema.type !== 'object') {
    throw new TypeError(`The input of ${name} is of type ${schema.type}. Make it an object with one field: z.object.`);
  }
  return schema;
}

function jsonSchemaOf(name: string, input: ZodType): JsonSchema {
  try {
    return z.toJSONSchema(input, { io: 'input' });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`The input of ${name} cannot be told to a model: ${why}. Use what JSON has.`, { cause });
  }
}
