/** Tool definitions: an SDK's tools as the provider is sent them, so that they can be counted. */
import { firstText, isObject, jsonText, type WireObject } from "../json/wire-value.ts";

export interface SdkTool {
  readonly name: string;
  readonly description?: unknown;
  /** JSON Schema, a schema of the AI SDK, or one of zod. */
  readonly schema: unknown;
}

/** The same definition for the same tool: what was counted once is not counted again. */
const known = new WeakMap<object, unknown>();

/** The definition of a tool; `read` says where the SDK has what it consists of. */
export function definitionOf<Tool extends object>(tool: Tool, read: (tool: Tool) => SdkTool): unknown {
  const definition = known.get(tool) ?? written(read(tool));
  known.set(tool, definition);
  return definition;
}

function written({ name, description, schema }: SdkTool): unknown {
  const said = { name, ...(typeof description === "string" && { description }) };
  const whole = { type: "function", function: { ...said, parameters: jsonSchemaOf(schema) } };
  return jsonText(whole) === "" ? said : whole;
}

function jsonSchemaOf(schema: unknown): unknown {
  if (!isObject(schema)) return {};
  const standard = schema["~standard"];
  const convert = isObject(standard) && isObject(standard.jsonSchema) ? standard.jsonSchema.input : undefined;
  if (typeof convert === "function") {
    try {
      return convert({ target: "draft-07" });
    } catch {
      // It has a type that JSON Schema cannot say; what else it says is told by its outline.
      return outlineOf(schema);
    }
  }
  if (isObject(schema.jsonSchema)) return schema.jsonSchema;
  return definitionIn(schema) ? outlineOf(schema) : schema;
}

/** Where zod has what a schema was made of: version 4, or 3. */
function definitionIn({ _zod: internals, _def: definition }: WireObject): WireObject | undefined {
  const found = isObject(internals) ? internals.def : definition;
  return isObject(found) ? found : undefined;
}

/** No schema that a person wrote is nested deeper; one that refers to itself has no end. */
const DEEPEST = 12;

/** As much as the JSON Schema would say, not in its words. */
function outlineOf(schema: unknown, depth = 0): unknown {
  const definition = isObject(schema) ? definitionIn(schema) : undefined;
  if (!isObject(schema) || !definition || depth > DEEPEST) return {};
  const { type, typeName, shape, values, entries, value, options } = definition;
  const fields = typeof shape === "function" ? shape() : shape;
  const inner = [
    definition.innerType,
    definition.schema,
    definition.in,
    definition.element,
    type,
    definition.valueType,
  ];
  const all = [...inner, ...(Array.isArray(options) ? options : [])].filter(isObject);
  return {
    type: firstText(type, typeName),
    ...(typeof schema.description === "string" && { description: schema.description }),
    ...(isObject(fields) && {
      properties: Object.fromEntries(
        Object.entries(fields).map(([name, field]) => [name, outlineOf(field, depth + 1)]),
      ),
      required: Object.keys(fields),
      additionalProperties: false,
    }),
    ...(all.length > 0 && { items: all.map((each) => outlineOf(each, depth + 1)) }),
    ...((values ?? entries ?? value) !== undefined && { enum: values ?? entries ?? value }),
  };
}
