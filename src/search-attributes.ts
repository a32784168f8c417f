import type { Client, Connection } from '@temporalio/client';
import type { SearchAttributeType } from '@temporalio/common';
import { SearchAttributesError } from './search-attributes-error';
import { OPERATION_KEY, SESSION_KEY } from './workflows/search-attribute-keys';

/** A client's connection, or a worker's own. */
type Operated = Connection | Client['connection'];

type Key = typeof SESSION_KEY | typeof OPERATION_KEY;

const KEYS: readonly Key[] = [SESSION_KEY, OPERATION_KEY];

/** Types as the server's API numbers them, and as its command line names them. */
const SERVER_TYPES = {
  KEYWORD: { number: 2, name: 'Keyword' },
  KEYWORD_LIST: { number: 7, name: 'KeywordList' },
} satisfies Partial<Record<SearchAttributeType, { readonly number: number; readonly name: string }>>;

/**
 * Whether the namespace knows the search attributes. A server that does not say counts as one without them: a workflow
 * that sets an unregistered one stalls, and nothing but a filter is lost without them.
 */
export async function hasSearchAttributes(connection: Operated, namespace: string): Promise<boolean> {
  try {
    const registered = await registeredTypes(connection, namespace);
    return KEYS.every((key) => registered[key.name] === serverType(key).number);
  } catch {
    return false;
  }
}

/**
 * Registers those that are missing, and gives their names. Throws SearchAttributesError, which says what to run
 * instead: on Temporal Cloud, for one, namespaces are changed by another API.
 */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const refused = (cause: unknown): never => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SearchAttributesError(namespace, why, `Run, with the right to do so: ${commandFor(namespace)}`, cause);
  };
  const registered = await registeredTypes(connection, namespace).catch(refused);
  for (const key of KEYS) {
    const type = registered[key.name];
    if (type === undefined || type === serverType(key).number) continue;
    const remedy = 'Rename or remove it; until then turns run without search attributes.';
    throw new SearchAttributesError(namespace, `${key.name} is there and is no ${serverType(key).name}`, remedy);
  }
  const missing = KEYS.filter((key) => registered[key.name] === undefined);
  if (missing.length > 0) {
    const searchAttributes = Object.fromEntries(missing.map((key) => [key.name, serverType(key).number]));
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes }).catch(refused);
  }
  return missing.map((key) => key.name);
}

async function registeredTypes(connection: Operated, namespace: string): Promise<Readonly<Record<string, number>>> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return customAttributes;
}

function serverType({ type }: Key): (typeof SERVER_TYPES)[Key['type']] {
  return SERVER_TYPES[type];
}

function commandFor(namespace: string): string {
  const attributes = KEYS.map((key) => `--name ${key.name} --type ${serverType(key).name}`).join(' ');
  return `temporal operator search-attribute create --namespace ${namespace} ${attributes}`;
}
