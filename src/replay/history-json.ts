import { createRequire } from 'node:module';
import * as proto from '@temporalio/proto';
import type { History } from './history';
import { withoutOrigin } from './without-origin';

/** What is used of protobufjs: its types are no dependency of ours. */
interface MessageType {
  readonly fieldsArray: readonly Field[];
}

interface EnumType {
  readonly values: Readonly<Record<string, number>>;
}

interface Field {
  readonly name: string;
  readonly repeated: boolean;
  resolve(): { readonly resolvedType: MessageType | EnumType | null };
}

interface ProtoJson {
  fromJson(type: MessageType, json: unknown, options: { readonly ignoreUnknownFields: boolean }): History;
  toJson(type: MessageType, message: History): unknown;
}

/** The JSON that Temporal's command line and UI export. Throws TypeError for what is no history. */
export function readHistory(text: string): History {
  const json: unknown = JSON.parse(text);
  if (typeof json !== 'object' || json === null || !('events' in json) || !Array.isArray(json.events)) {
    throw new TypeError('there is no list "events" in it');
  }
  const { type, protoJson } = historyType();
  // What a newer server added is of no use in a replay.
  return protoJson.fromJson(type, withFullNames(type, json), { ignoreUnknownFields: true });
}

/** The same JSON, to be kept: without what tells on which machine the workflow ran. */
export function historyJson(history: History): string {
  const { type, protoJson } = historyType();
  return `${JSON.stringify(withoutOrigin(protoJson.toJson(type, history)), null, 2)}\n`;
}

/**
 * The SDK's own `historyFromJSON` and `historyToJSON` throw "type must be a Type" wherever protobufjs is installed more
 * than once, which npm does as soon as gRPC has the older one: the types of one copy are not those of another. Here it is
 * always the copy that made the types.
 */
function historyType(): { readonly type: MessageType; readonly protoJson: ProtoJson } {
  const protoJson = createRequire(require.resolve('@temporalio/proto'))('protobufjs/ext/protojson') as ProtoJson;
  const { lookupType } = proto as unknown as { lookupType(name: string): MessageType };
  return { type: lookupType.call(proto, 'temporal.api.history.v1.History'), protoJson };
}

/** Older exports name values of enums in short: `WorkflowExecutionStarted` for `EVENT_TYPE_WORKFLOW_EXECUTION_STARTED`. */
function withFullNames(type: MessageType, json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  const fields = new Map(type.fieldsArray.map((field) => [field.name, field]));
  return Object.fromEntries(
    Object.entries(json).map(([name, value]: [string, unknown]) => {
      const resolved = fields.get(name)?.resolve().resolvedType ?? null;
      if (resolved === null) return [name, value];
      if ('values' in resolved) return [name, fullName(resolved, value)];
      return [
        name,
        Array.isArray(value) ? value.map((each) => withFullNames(resolved, each)) : withFullNames(resolved, value),
      ];
    }),
  );
}

function fullName({ values }: EnumType, value: unknown): unknown {
  if (typeof value !== 'string' || value in values) return value;
  const words = value.replace(/(?<=.)(?=[A-Z])/g, '_').toUpperCase();
  return Object.keys(values).find((name) => name.endsWith(`_${words}`)) ?? value;
}
